// SPDX-License-Identifier: Apache-2.0
// A name that starts with a digit.
__global__ void kernel(int* out) {
  int 2nd = threadIdx.x;
  out[threadIdx.x] = 2nd;
}
