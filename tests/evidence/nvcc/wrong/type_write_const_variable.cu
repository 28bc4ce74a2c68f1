// SPDX-License-Identifier: Apache-2.0
// Modifying a const variable.
__global__ void kernel(int* out) {
  const int i = threadIdx.x;
  i += 32;
  out[i] = 1;
}
