// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=sectors_loaded
// 2 x 2 sums per warp, but fragments straight from global memory: two warps load each of them.
#include <mma.h>

using namespace nvcuda;

constexpr int kSide = 64;

__global__ void matmul(float* c, const half* a, const half* b, int m, int n, int k) {
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
#pragma unroll
    for (int i = first; i < first + kSide; i += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> rows[2];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> columns[2];
#pragma unroll
      for (int p = 0; p < 2; ++p) {
        wmma::load_matrix_sync(rows[p], &a[(top + own_row + 16 * p) * k + i], k);
        wmma::load_matrix_sync(columns[p], &b[i * n + left + own_column + 16 * p], n);
      }
#pragma unroll
      for (int p = 0; p < 2; ++p) {
#pragma unroll
        for (int q = 0; q < 2; ++q) wmma::mma_sync(sum[p][q], rows[p], columns[q], sum[p][q]);
      }
    }
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
