// SPDX-License-Identifier: Apache-2.0
// An else without an if: a second statement ended it.
__global__ void kernel(int* out) {
  if (threadIdx.x < 4) out[threadIdx.x] = 1; out[0] = 2;
  else out[threadIdx.x] = 3;
}
