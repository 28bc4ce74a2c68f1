// SPDX-License-Identifier: Apache-2.0
// A shared array of blockDim.x elements.
__global__ void kernel(int* out) {
  __shared__ int tile[blockDim.x];
  tile[threadIdx.x] = 1;
  out[threadIdx.x] = tile[threadIdx.x];
}
