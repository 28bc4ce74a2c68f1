// SPDX-License-Identifier: Apache-2.0
// Loads the next tiles by asynchronous copies while it uses the current ones.
#include <cuda_pipeline.h>

constexpr int kSide = 128, kDepth = 8, kOwn = 8;

// Thread (x, y) owns columns x, x + 16, x + 32, ... and rows y, y + 16, y + 32, ...
__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float tile_a[2][kDepth][kSide + 4], tile_b[2][kDepth][kSide];
  const int thread = threadIdx.x, x = thread % 16, y = thread / 16;
  const int top = blockIdx.y * kSide, left = blockIdx.x * kSide;
  float sum[kOwn][kOwn] = {};
  const auto load = [&](int buffer, int first) {
    for (int i = thread; i < kDepth * kSide; i += 256) {
      const int row = top + i / kDepth, inner_a = first + i % kDepth;
      const bool has_a = row < m && inner_a < k;
      __pipeline_memcpy_async(&tile_a[buffer][i % kDepth][i / kDepth],
                              has_a ? &a[row * k + inner_a] : a, 4, has_a ? 0 : 4);
      const int column = left + i % kSide, inner_b = first + i / kSide;
      const bool has_b = inner_b < k && column < n;
      __pipeline_memcpy_async(&tile_b[buffer][i / kSide][i % kSide],
                              has_b ? &b[inner_b * n + column] : b, 4, has_b ? 0 : 4);
    }
    __pipeline_commit();
  };
  load(0, 0);
  for (int first = 0, now = 0; first < k; first += kDepth, now ^= 1) {
    __pipeline_wait_prior(0);
    __syncthreads();
    if (first + kDepth < k) load(now ^ 1, first + kDepth);
#pragma unroll
    for (int i = 0; i < kDepth; ++i) {
      float own_a[kOwn], own_b[kOwn];
#pragma unroll
      for (int p = 0; p < kOwn; ++p) own_a[p] = tile_a[now][i][y + 16 * p];
#pragma unroll
      for (int q = 0; q < kOwn; ++q) own_b[q] = tile_b[now][i][x + 16 * q];
#pragma unroll
      for (int p = 0; p < kOwn; ++p) {
#pragma unroll
        for (int q = 0; q < kOwn; ++q) sum[p][q] += own_a[p] * own_b[q];
      }
    }
  }
#pragma unroll
  for (int p = 0; p < kOwn; ++p) {
#pragma unroll
    for (int q = 0; q < kOwn; ++q) {
      const int row = top + y + 16 * p, column = left + x + 16 * q;
      if (row < m && column < n) c[row * n + column] = sum[p][q];
    }
  }
}
