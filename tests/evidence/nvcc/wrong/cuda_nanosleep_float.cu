// SPDX-License-Identifier: Apache-2.0
// __nanosleep without an argument.
__global__ void kernel(int* out) {
  __nanosleep();
  out[threadIdx.x] = 1;
}
