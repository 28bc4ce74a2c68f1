// SPDX-License-Identifier: Apache-2.0
// Assigning to a literal.
__global__ void kernel(int* out, int n) {
  if (4 = n) out[threadIdx.x] = 1;
}
