// SPDX-License-Identifier: Apache-2.0
// A kernel with a return type other than void.
__global__ int kernel(int* out) {
  out[threadIdx.x] = 1;
  return 0;
}
