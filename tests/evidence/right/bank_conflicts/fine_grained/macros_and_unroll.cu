// SPDX-License-Identifier: Apache-2.0
// Macros, and a loop that is unrolled all the way by a pragma with a number.
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
