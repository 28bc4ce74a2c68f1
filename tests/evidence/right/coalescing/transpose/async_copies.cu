// SPDX-License-Identifier: Apache-2.0
// cp.async fills the tile. Each thread waits for its own copies, then at the barrier for the rest.
#include <cuda_pipeline.h>

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][33];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height)
      __pipeline_memcpy_async(&tile[threadIdx.y + j][threadIdx.x], in + (y + j) * width + x,
                              sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  const int tx = blockIdx.y * 32 + threadIdx.x, ty = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
  for (int j = 0; j < 32; j += 8)
    if (tx < height && ty + j < width)
      out[(ty + j) * height + tx] = tile[threadIdx.x][threadIdx.y + j];
}
