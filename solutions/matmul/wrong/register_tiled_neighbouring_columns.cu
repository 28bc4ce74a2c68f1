// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=wavefronts
// A thread owns eight neighbouring columns and loads them one by one: lanes are 8 banks apart.
constexpr int kSide = 128, kDepth = 8, kOwn = 8;

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float tile_a[kDepth][kSide + 4], tile_b[kDepth][kSide];
  const int thread = threadIdx.x, x = thread % 16, y = thread / 16;
  const int top = blockIdx.y * kSide, left = blockIdx.x * kSide;
  float sum[kOwn][kOwn] = {};
  for (int first = 0; first < k; first += kDepth) {
    for (int i = thread; i < kDepth * kSide; i += 256) {
      const int row = top + i / kDepth, inner_a = first + i % kDepth;
      tile_a[i % kDepth][i / kDepth] = row < m && inner_a < k ? a[row * k + inner_a] : 0;
      const int column = left + i % kSide, inner_b = first + i / kSide;
      tile_b[i / kSide][i % kSide] = inner_b < k && column < n ? b[inner_b * n + column] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kDepth; ++i) {
      float own_a[kOwn], own_b[kOwn];
#pragma unroll
      for (int p = 0; p < kOwn; ++p) own_a[p] = tile_a[i][y + 16 * p];
#pragma unroll
      for (int q = 0; q < kOwn; ++q) own_b[q] = *(const volatile float*)&tile_b[i][8 * x + q];
#pragma unroll
      for (int p = 0; p < kOwn; ++p) {
#pragma unroll
        for (int q = 0; q < kOwn; ++q) sum[p][q] += own_a[p] * own_b[q];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int p = 0; p < kOwn; ++p) {
#pragma unroll
    for (int q = 0; q < kOwn; ++q) {
      const int row = top + y + 16 * p, column = left + 8 * x + q;
      if (row < m && column < n) c[row * n + column] = sum[p][q];
    }
  }
}
