// SPDX-License-Identifier: Apache-2.0
// An undeclared variable.
__global__ void kernel(int* out, int n) {
  if (i < n) out[i] = 1;
}
