// SPDX-License-Identifier: Apache-2.0
// A variable that is not declared.
__global__ void kernel(int* out, int n) {
  if (i < n) out[i] = 1;
}
