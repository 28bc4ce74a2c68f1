// SPDX-License-Identifier: Apache-2.0
// A variable that is called.
__global__ void kernel(int* out) {
  int size = 3;
  out[threadIdx.x] = size();
}
