// SPDX-License-Identifier: Apache-2.0
// A variable declared twice.
__global__ void kernel(int* out) {
  int sum = 0;
  float sum = 1;
  out[threadIdx.x] = sum;
}
