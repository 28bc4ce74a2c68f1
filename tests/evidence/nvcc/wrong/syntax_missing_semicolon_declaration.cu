// SPDX-License-Identifier: Apache-2.0
// A semicolon is missing after a declaration.
__global__ void sums(int* out) {
  int sum = 0
  for (int i = 0; i < 4; ++i) sum += i;
  out[threadIdx.x] = sum;
}
