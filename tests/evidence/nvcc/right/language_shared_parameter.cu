// SPDX-License-Identifier: Apache-2.0
// __shared__ on a parameter.
__device__ int first(__shared__ int* tile) { return tile[0]; }
__global__ void kernel(int* out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = 1;
  out[threadIdx.x] = first(tile);
}
