// SPDX-License-Identifier: Apache-2.0
// The closing brace of a loop is missing.
__global__ void sums(int* out, const int* in) {
  int sum = 0;
  for (int i = 0; i < 8; ++i) {
    sum += in[i];
  out[threadIdx.x] = sum;
}
