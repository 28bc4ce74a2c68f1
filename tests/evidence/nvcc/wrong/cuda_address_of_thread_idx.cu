// SPDX-License-Identifier: Apache-2.0
// Incrementing blockIdx.
__global__ void kernel(int* out) {
  while (blockIdx.x < 10) ++blockIdx.x;
  out[threadIdx.x] = 1;
}
