// SPDX-License-Identifier: Apache-2.0
// Calling a variable.
__global__ void kernel(int* out) {
  int size = 3;
  out[threadIdx.x] = size();
}
