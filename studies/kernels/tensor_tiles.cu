// SPDX-License-Identifier: Apache-2.0
// Products on tensor cores with Own x Own fragments of c per warp. A block of 2 x 2 warps makes a tile
// of 32 * Own rows and columns, in steps of 32 columns of a and rows of b. Sizes are multiples of the
// tile and of 32.
#include <mma.h>

using namespace nvcuda;

template <int Own>
__global__ void matmul(float* c, const half* a, const half* b, int n, int k) {
  constexpr int kSide = 32 * Own, kDepth = 32;
  __shared__ __align__(32) half tile_a[kSide][kDepth + 8], tile_b[kDepth][kSide + 8];
  const int thread = threadIdx.x, warp = thread / 32;
  const int top = blockIdx.y * kSide, left = blockIdx.x * kSide;
  const int own_row = warp / 2 * 16 * Own, own_column = warp % 2 * 16 * Own;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[Own][Own];
#pragma unroll
  for (int p = 0; p < Own; ++p) {
#pragma unroll
    for (int q = 0; q < Own; ++q) wmma::fill_fragment(sum[p][q], 0.0f);
  }
  for (int first = 0; first < k; first += kDepth) {
#pragma unroll
    for (int i = 8 * thread; i < kSide * kDepth; i += 8 * 128) {
      *(uint4*)&tile_a[i / kDepth][i % kDepth] =
          *(const uint4*)&a[(top + i / kDepth) * k + first + i % kDepth];
      *(uint4*)&tile_b[i / kSide][i % kSide] =
          *(const uint4*)&b[(first + i / kSide) * n + left + i % kSide];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kDepth; i += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> rows[Own];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> columns[Own];
#pragma unroll
      for (int p = 0; p < Own; ++p) {
        wmma::load_matrix_sync(rows[p], &tile_a[own_row + 16 * p][i], kDepth + 8);
        wmma::load_matrix_sync(columns[p], &tile_b[i][own_column + 16 * p], kSide + 8);
      }
#pragma unroll
      for (int p = 0; p < Own; ++p) {
#pragma unroll
        for (int q = 0; q < Own; ++q) wmma::mma_sync(sum[p][q], rows[p], columns[q], sum[p][q]);
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int p = 0; p < Own; ++p) {
#pragma unroll
    for (int q = 0; q < Own; ++q) {
      wmma::store_matrix_sync(&c[(top + own_row + 16 * p) * n + left + own_column + 16 * q],
                              sum[p][q], n, wmma::mem_row_major);
    }
  }
}
