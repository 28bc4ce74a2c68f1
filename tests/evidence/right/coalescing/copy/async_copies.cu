// SPDX-License-Identifier: Apache-2.0
// cp.async copies the tile to shared memory without registers. Each thread reads back only its own
// words, so no barrier is needed.
#include <cuda_pipeline.h>

__global__ void copy(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][32];
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height)
      __pipeline_memcpy_async(&tile[threadIdx.y + j][threadIdx.x], &in[(y + j) * width + x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height) out[(y + j) * width + x] = tile[threadIdx.y + j][threadIdx.x];
}
