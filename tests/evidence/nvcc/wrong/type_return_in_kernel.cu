// SPDX-License-Identifier: Apache-2.0
// return with a value in a kernel.
__global__ void kernel(int* out, int n) {
  if (threadIdx.x >= n) return -1;
  out[threadIdx.x] = 1;
}
