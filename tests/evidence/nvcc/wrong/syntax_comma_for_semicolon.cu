// SPDX-License-Identifier: Apache-2.0
// Commas in the head of a for loop.
__global__ void sums(int* out) {
  int sum = 0;
  for (int i = 0, i < 8, ++i) sum += i;
  out[threadIdx.x] = sum;
}
