// SPDX-License-Identifier: Apache-2.0
// __syncthreads() with an argument.
__global__ void kernel(int* out) {
  __syncthreads(0);
  out[threadIdx.x] = 1;
}
