// SPDX-License-Identifier: Apache-2.0
// fails: performance gate=speed_h200
// cause: narrow_accesses
// Loads and stores tiles half by half: eight times the instructions.
#include <mma.h>

using namespace nvcuda;

constexpr int kSide = 64, kRow = kSide + 8;

__global__ void matmul(float* c, const half* a, const half* b, int m, int n, int k) {
  __shared__ __align__(32) half tile_a[kSide][kRow], tile_b[kSide][kRow];
  const int thread = threadIdx.x, warp = thread / 32;
  const int top = blockIdx.y * kSide, left = blockIdx.x * kSide;
  const int own_row = warp / 2 * 32, own_column = warp % 2 * 32;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[2][2];
#pragma unroll
  for (int p = 0; p < 2; ++p) {
#pragma unroll
    for (int q = 0; q < 2; ++q) wmma::fill_fragment(sum[p][q], 0.0f);
  }
  for (int first = 0; first < k; first += kSide) {
    for (int i = thread; i < kSide * kSide; i += 128) {
      tile_a[i / kSide][i % kSide] = a[(top + i / kSide) * k + first + i % kSide];
      tile_b[i / kSide][i % kSide] = b[(first + i / kSide) * n + left + i % kSide];
    }
    __syncthreads();
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
