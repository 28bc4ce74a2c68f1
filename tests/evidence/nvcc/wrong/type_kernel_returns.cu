// SPDX-License-Identifier: Apache-2.0
// A kernel that returns a value.
__global__ int kernel(int* out) {
  out[threadIdx.x] = 1;
  return 0;
}
