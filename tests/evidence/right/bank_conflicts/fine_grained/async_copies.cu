// SPDX-License-Identifier: Apache-2.0
// cp.async with 4-byte words, because padded rows are not aligned for wider ones.
#include <cuda_pipeline.h>

__global__ void transpose_fine(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][33];
  const int at = (blockIdx.y * 32 + threadIdx.y) * width + blockIdx.x * 32 + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 4; ++k)
    __pipeline_memcpy_async(&tile[threadIdx.y + 8 * k][threadIdx.x], &in[at + 8 * k * width],
                            sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 4; ++k) out[at + 8 * k * width] = tile[threadIdx.x][threadIdx.y + 8 * k];
}
