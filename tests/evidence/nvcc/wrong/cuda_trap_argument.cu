// SPDX-License-Identifier: Apache-2.0
// __trap() with an argument.
__global__ void kernel(int* out) {
  if (out == nullptr) __trap(1);
  out[threadIdx.x] = 1;
}
