// SPDX-License-Identifier: Apache-2.0
// __syncthread() instead of __syncthreads().
__global__ void kernel(int* out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = threadIdx.x;
  __syncthread();
  out[threadIdx.x] = tile[31 - threadIdx.x];
}
