// SPDX-License-Identifier: Apache-2.0
// syncthreads() without underscores.
__global__ void kernel(int* out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = threadIdx.x;
  syncthreads();
  out[threadIdx.x] = tile[31 - threadIdx.x];
}
