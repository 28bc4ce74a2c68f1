// SPDX-License-Identifier: Apache-2.0
// cp.async fills a padded tile without going through registers.
#include <cuda_pipeline.h>

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][33];
  const int x = blockIdx.x * 32 + threadIdx.x;
  for (int j = threadIdx.y; j < 32; j += 8) {
    const int y = blockIdx.y * 32 + j;
    if (x < width && y < height)
      __pipeline_memcpy_async(&tile[j][threadIdx.x], in + y * width + x, 4);
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  const int tx = blockIdx.y * 32 + threadIdx.x;
  for (int j = threadIdx.y; j < 32; j += 8) {
    const int ty = blockIdx.x * 32 + j;
    if (tx < height && ty < width) out[ty * height + tx] = tile[threadIdx.x][j];
  }
}
