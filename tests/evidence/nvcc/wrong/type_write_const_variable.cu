// SPDX-License-Identifier: Apache-2.0
// A const variable is changed.
__global__ void kernel(int* out) {
  const int i = threadIdx.x;
  i += 32;
  out[i] = 1;
}
