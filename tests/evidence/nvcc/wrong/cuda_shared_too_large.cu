// SPDX-License-Identifier: Apache-2.0
// More than 48 KB of static shared memory.
__global__ void kernel(float* out) {
  __shared__ float tile[128][128];
  tile[threadIdx.x][0] = 1;
  __syncthreads();
  out[threadIdx.x] = tile[(threadIdx.x + 1) % 32][0];
}
