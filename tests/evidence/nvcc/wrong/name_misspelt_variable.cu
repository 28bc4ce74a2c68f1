// SPDX-License-Identifier: Apache-2.0
// A misspelt variable.
__global__ void kernel(float* output, const float* input, int n) {
  int i = threadIdx.x;
  if (i < n) outptu[i] = input[i];
}
