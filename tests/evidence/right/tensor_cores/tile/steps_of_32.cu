// SPDX-License-Identifier: Apache-2.0
// Steps of 32 columns, with the next tiles in registers.
#include <mma.h>

using namespace nvcuda;

constexpr int kSide = 64, kDepth = 32, kRowA = kDepth + 8, kRowB = kSide + 8, kWords = 2;

__global__ void matmul(float* c, const half* a, const half* b, int m, int n, int k) {
  __shared__ __align__(32) half tile_a[kSide][kRowA], tile_b[kDepth][kRowB];
  const int thread = threadIdx.x, warp = thread / 32;
  const int top = blockIdx.y * kSide, left = blockIdx.x * kSide;
  const int own_row = warp / 2 * 32, own_column = warp % 2 * 32;
  const int row_a = thread / 4, column_a = thread % 4 * 8, row_b = thread / 8, column_b = thread % 8 * 8;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[2][2];
#pragma unroll
  for (int p = 0; p < 2; ++p) {
#pragma unroll
    for (int q = 0; q < 2; ++q) wmma::fill_fragment(sum[p][q], 0.0f);
  }
  uint4 next_a[kWords], next_b[kWords];
  const auto load = [&](int first) {
#pragma unroll
    for (int i = 0; i < kWords; ++i) {
      next_a[i] = *(const uint4*)&a[(top + row_a + 32 * i) * k + first + column_a];
      next_b[i] = *(const uint4*)&b[(first + row_b + 16 * i) * n + left + column_b];
    }
  };
  load(0);
  for (int first = 0; first < k; first += kDepth) {
#pragma unroll
    for (int i = 0; i < kWords; ++i) {
      *(uint4*)&tile_a[row_a + 32 * i][column_a] = next_a[i];
      *(uint4*)&tile_b[row_b + 16 * i][column_b] = next_b[i];
    }
    __syncthreads();
    if (first + kDepth < k) load(first + kDepth);
#pragma unroll
    for (int i = 0; i < kDepth; i += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> rows[2];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> columns[2];
#pragma unroll
      for (int p = 0; p < 2; ++p) {
        wmma::load_matrix_sync(rows[p], &tile_a[own_row + 16 * p][i], kRowA);
        wmma::load_matrix_sync(columns[p], &tile_b[i][own_column + 16 * p], kRowB);
      }
#pragma unroll
      for (int p = 0; p < 2; ++p) {
#pragma unroll
        for (int q = 0; q < 2; ++q) wmma::mma_sync(sum[p][q], rows[p], columns[q], sum[p][q]);
      }
    }
    __syncthreads();  // before the next tiles replace these
  }
#pragma unroll
  for (int p = 0; p < 2; ++p) {
#pragma unroll
    for (int q = 0; q < 2; ++q) {
      wmma::store_matrix_sync(&c[(top + own_row + 16 * p) * n + left + own_column + 16 * q],
                              sum[p][q], n, wmma::mem_row_major);
    }
  }
}
