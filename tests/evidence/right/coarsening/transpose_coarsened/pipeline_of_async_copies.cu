// SPDX-License-Identifier: Apache-2.0
// Two buffers: cp.async loads the next tile while the current one is stored.
#include <cuda_pipeline.h>

__device__ void bring(float (*tile)[33], const float* in, int x, int y, int width, int height) {
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height)
      __pipeline_memcpy_async(&tile[threadIdx.y + j][threadIdx.x], &in[(y + j) * width + x], 4);
  __pipeline_commit();
}

template <int Factor>
__global__ void transpose_coarsened(float* out, const float* in, int width, int height) {
  __shared__ float tiles[2][32][33];
  const int top = blockIdx.y * 32, left = blockIdx.x * Factor * 32;
  bring(tiles[0], in, left + threadIdx.x, top + threadIdx.y, width, height);
  for (int f = 0; f < Factor; ++f) {
    if (f + 1 < Factor) {
      bring(tiles[(f + 1) % 2], in, left + (f + 1) * 32 + threadIdx.x, top + threadIdx.y, width,
            height);
      __pipeline_wait_prior(1);
    } else {
      __pipeline_wait_prior(0);
    }
    __syncthreads();
    const int x = top + threadIdx.x, y = left + f * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
      if (x < height && y + j < width)
        out[(y + j) * height + x] = tiles[f % 2][threadIdx.x][threadIdx.y + j];
    __syncthreads();
  }
}
