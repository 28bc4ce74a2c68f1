// SPDX-License-Identifier: Apache-2.0
// cub::BlockExchange transposes the tile in one ScatterToStriped: 256 threads, four words each.
#include <cub/block/block_exchange.cuh>

__global__ void transpose(float* out, const float* in, int width, int height) {
  using Exchange = cub::BlockExchange<float, 32, 4, false, 8>;
  __shared__ typename Exchange::TempStorage storage;
  float v[4];
  int rank[4];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    v[k] = x < width && y + 8 * k < height ? in[(y + 8 * k) * width + x] : 0.0f;
    rank[k] = threadIdx.x * 32 + threadIdx.y + 8 * k;
  }
  Exchange(storage).ScatterToStriped(v, v, rank);
  const int tx = blockIdx.y * 32 + threadIdx.x, ty = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (tx < height && ty + 8 * k < width) out[(ty + 8 * k) * height + tx] = v[k];
}
