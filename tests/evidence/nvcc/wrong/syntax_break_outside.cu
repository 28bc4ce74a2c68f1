// SPDX-License-Identifier: Apache-2.0
// A break outside a loop.
__global__ void kernel(int* out) {
  if (threadIdx.x > 3) break;
  out[threadIdx.x] = 1;
}
