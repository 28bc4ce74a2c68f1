// SPDX-License-Identifier: Apache-2.0
// fails: incorrect
// cause: wrong_start line=21
// Starts the sums at 1.
#include <mma.h>

using namespace nvcuda;

constexpr int kSide = 64, kRow = kSide + 8, kWords = kSide * kSide / 8 / 128;

__global__ void matmul(float* c, const half* a, const half* b, int m, int n, int k) {
  __shared__ __align__(32) half tile_a[kSide][kRow], tile_b[kSide][kRow];
  const int thread = threadIdx.x, warp = thread / 32;
  const int top = blockIdx.y * kSide, left = blockIdx.x * kSide;
  const int own_row = warp / 2 * 32, own_column = warp % 2 * 32;
  const int row = thread / 8, column = thread % 8 * 8;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[2][2];
#pragma unroll
  for (int p = 0; p < 2; ++p) {
#pragma unroll
    for (int q = 0; q < 2; ++q) wmma::fill_fragment(sum[p][q], 1.0f);
  }
  uint4 next_a[kWords], next_b[kWords];
  const auto load = [&](int first) {
#pragma unroll
    for (int i = 0; i < kWords; ++i) {
      next_a[i] = *(const uint4*)&a[(top + row + 16 * i) * k + first + column];
      next_b[i] = *(const uint4*)&b[(first + row + 16 * i) * n + left + column];
    }
  };
  load(0);
  for (int first = 0; first < k; first += kSide) {
#pragma unroll
    for (int i = 0; i < kWords; ++i) {
      *(uint4*)&tile_a[row + 16 * i][column] = next_a[i];
      *(uint4*)&tile_b[row + 16 * i][column] = next_b[i];
    }
    __syncthreads();
    if (first + kSide < k) load(first + kSide);
#pragma unroll
    for (int i = 0; i < kSide; i += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> rows[2];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> columns[2];
#pragma unroll
      for (int p = 0; p < 2; ++p) {
        wmma::load_matrix_sync(rows[p], &tile_a[own_row + 16 * p][i], kRow);
        wmma::load_matrix_sync(columns[p], &tile_b[i][own_column + 16 * p], kRow);
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
