// SPDX-License-Identifier: Apache-2.0
// The condition's closing parenthesis is missing.
__global__ void copy(int* out, const int* in, int n) {
  int i = threadIdx.x;
  if (i < n out[i] = in[i];
}
