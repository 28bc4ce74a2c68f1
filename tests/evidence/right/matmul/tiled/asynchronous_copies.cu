// SPDX-License-Identifier: Apache-2.0
// Loads the next tiles by asynchronous copies while it uses the current ones.
#include <cuda_pipeline.h>

constexpr int kTile = 16;

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float tile_a[2][kTile][kTile], tile_b[2][kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  const auto load = [&](int buffer, int first) {
    const bool has_a = row < m && first + x < k, has_b = first + y < k && column < n;
    __pipeline_memcpy_async(&tile_a[buffer][y][x], has_a ? &a[row * k + first + x] : a, 4,
                            has_a ? 0 : 4);
    __pipeline_memcpy_async(&tile_b[buffer][y][x], has_b ? &b[(first + y) * n + column] : b, 4,
                            has_b ? 0 : 4);
    __pipeline_commit();
  };
  float sum = 0;
  load(0, 0);
  for (int first = 0, now = 0; first < k; first += kTile, now ^= 1) {
    __pipeline_wait_prior(0);
    __syncthreads();
    if (first + kTile < k) load(now ^ 1, first + kTile);
#pragma unroll
    for (int i = 0; i < kTile; ++i) sum += tile_a[now][y][i] * tile_b[now][i][x];
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
