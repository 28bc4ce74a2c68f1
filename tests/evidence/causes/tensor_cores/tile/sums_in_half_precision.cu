// SPDX-License-Identifier: Apache-2.0
// cause: wrong_rounding line=17
// says: The sums are kept in half precision, which has 11 significant bits; accumulate in float.
#include <mma.h>

using namespace nvcuda;

constexpr int kSide = 64, kRow = 72;

__global__ void matmul(float* c, const half* a, const half* b, int m, int n, int k) {
  __shared__ __align__(32) half tile_a[kSide][kRow], tile_b[kSide][kRow];
  const int t = threadIdx.x, warp = t / 32;
  const int top = blockIdx.y * kSide, left = blockIdx.x * kSide;
  const int own_row = warp / 2 * 32, own_column = warp % 2 * 32;
  const int row = t / 8, column = t % 8 * 8;

  wmma::fragment<wmma::accumulator, 16, 16, 16, half> sum[2][2];
#pragma unroll
  for (int p = 0; p < 2; ++p) {
#pragma unroll
    for (int q = 0; q < 2; ++q) wmma::fill_fragment(sum[p][q], __float2half(0.0f));
  }
  for (int first = 0; first < k; first += kSide) {
#pragma unroll
    for (int j = 0; j < kSide; j += 16) {
      *(uint4*)&tile_a[row + j][column] = *(const uint4*)&a[(top + row + j) * k + first + column];
      *(uint4*)&tile_b[row + j][column] = *(const uint4*)&b[(first + row + j) * n + left + column];
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
        for (int q = 0; q < 2; ++q) {
          wmma::mma_sync(sum[p][q], rows[p], columns[q], sum[p][q]);
        }
      }
    }
    __syncthreads();
  }
  // Results go through tile_a on their way to floats.
#pragma unroll
  for (int p = 0; p < 2; ++p) {
#pragma unroll
    for (int q = 0; q < 2; ++q) {
      wmma::store_matrix_sync(&tile_a[own_row + 16 * p][own_column + 16 * q], sum[p][q], kRow,
                              wmma::mem_row_major);
    }
  }
  __syncthreads();
  for (int i = t; i < kSide * kSide; i += 128) {
    c[(top + i / kSide) * n + left + i % kSide] = __half2float(tile_a[i / kSide][i % kSide]);
  }
}
