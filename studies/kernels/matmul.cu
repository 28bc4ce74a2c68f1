// SPDX-License-Identifier: Apache-2.0
// Matrix products with Own x Own elements of c per thread. A block of 256 threads makes a tile of
// 16 * Own rows and columns, in steps of 8 columns of a and rows of b. Sizes are multiples of the tile
// and of 8.

template <int Own>
__global__ void matmul(float* c, const float* a, const float* b, int n, int k) {
  constexpr int kSide = 16 * Own, kDepth = 8;
  __shared__ float tile_a[kDepth][kSide + 1], tile_b[kDepth][kSide];
  const int thread = threadIdx.x, x = thread % 16, y = thread / 16;
  const int top = blockIdx.y * kSide, left = blockIdx.x * kSide;
  float sum[Own][Own] = {};
  for (int first = 0; first < k; first += kDepth) {
    for (int i = thread; i < kDepth * kSide; i += 256) {
      tile_a[i % kDepth][i / kDepth] = a[(top + i / kDepth) * k + first + i % kDepth];
      tile_b[i / kSide][i % kSide] = b[(first + i / kSide) * n + left + i % kSide];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kDepth; ++i) {
      float own_a[Own], own_b[Own];
#pragma unroll
      for (int p = 0; p < Own; ++p) own_a[p] = tile_a[i][y + 16 * p];
#pragma unroll
      for (int q = 0; q < Own; ++q) own_b[q] = tile_b[i][x + 16 * q];
#pragma unroll
      for (int p = 0; p < Own; ++p) {
#pragma unroll
        for (int q = 0; q < Own; ++q) sum[p][q] += own_a[p] * own_b[q];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int p = 0; p < Own; ++p) {
#pragma unroll
    for (int q = 0; q < Own; ++q) {
      c[(top + y + 16 * p) * n + left + x + 16 * q] = sum[p][q];
    }
  }
}
