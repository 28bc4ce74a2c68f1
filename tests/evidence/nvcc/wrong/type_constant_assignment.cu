// SPDX-License-Identifier: Apache-2.0
// An assignment to a number.
__global__ void kernel(int* out, int n) {
  if (4 = n) out[threadIdx.x] = 1;
}
