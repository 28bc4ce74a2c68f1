// SPDX-License-Identifier: Apache-2.0
// Macros for the indices, and `#pragma unroll 4`, which covers all four iterations.
#define TILE 32
#define STEP 8
#define AT(r) ((blockIdx.y * TILE + (r)) * width + blockIdx.x * TILE + threadIdx.x)
__global__ void transpose_fine(float *odata, const float *idata, int width, int height)
{
  __shared__ float block[TILE][TILE + 1];
  #pragma unroll 4
  for (int i = threadIdx.y; i < TILE; i += STEP) block[i][threadIdx.x] = idata[AT(i)];
  __syncthreads();
  #pragma unroll 4
  for (int i = threadIdx.y; i < TILE; i += STEP) odata[AT(i)] = block[threadIdx.x][i];
}
