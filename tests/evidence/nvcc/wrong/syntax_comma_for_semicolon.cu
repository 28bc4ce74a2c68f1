// SPDX-License-Identifier: Apache-2.0
// Commas instead of semicolons in a for loop.
__global__ void sums(int* out) {
  int sum = 0;
  for (int i = 0, i < 8, ++i) sum += i;
  out[threadIdx.x] = sum;
}
