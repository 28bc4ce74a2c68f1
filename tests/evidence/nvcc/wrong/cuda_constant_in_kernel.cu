// SPDX-License-Identifier: Apache-2.0
// __constant__ inside a kernel.
__global__ void kernel(int* out) {
  __constant__ int table[2] = {1, 2};
  out[threadIdx.x] = table[threadIdx.x % 2];
}
