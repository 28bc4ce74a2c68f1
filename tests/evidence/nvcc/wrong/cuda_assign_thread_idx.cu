// SPDX-License-Identifier: Apache-2.0
// Assigning to threadIdx.
__global__ void kernel(int* out) {
  threadIdx.x = 0;
  out[threadIdx.x] = 1;
}
