// SPDX-License-Identifier: Apache-2.0
// A shared array without a size and without extern.
__global__ void kernel(int* out) {
  __shared__ int tile[];
  tile[threadIdx.x] = 1;
  out[threadIdx.x] = tile[threadIdx.x];
}
