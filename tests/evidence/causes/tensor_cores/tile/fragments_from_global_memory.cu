// SPDX-License-Identifier: Apache-2.0
// cause: no_tile line=24
// says: Each warp loads its fragments straight from global memory, so two warps of the block load every fragment; tiles in shared memory would be loaded once.
#include <mma.h>

using namespace nvcuda;

// 2 x 2 sums per warp: each fragment serves two products.
__global__ void matmul(float* c, const half* a, const half* b, int m, int n, int k) {
  const int warp = threadIdx.x / 32;
  const int row = blockIdx.y * 64 + warp / 2 * 32;
  const int col = blockIdx.x * 64 + warp % 2 * 32;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc[2][2];
#pragma unroll
  for (int i = 0; i < 2; i++) {
#pragma unroll
    for (int j = 0; j < 2; j++) wmma::fill_fragment(acc[i][j], 0.0f);
  }
  for (int kk = 0; kk < k; kk += 16) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa[2];
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb[2];
#pragma unroll
    for (int i = 0; i < 2; i++) {
      wmma::load_matrix_sync(fa[i], a + (row + 16 * i) * k + kk, k);
      wmma::load_matrix_sync(fb[i], b + kk * n + col + 16 * i, n);
    }
#pragma unroll
    for (int i = 0; i < 2; i++) {
#pragma unroll
      for (int j = 0; j < 2; j++) wmma::mma_sync(acc[i][j], fa[i], fb[j], acc[i][j]);
    }
  }
#pragma unroll
  for (int i = 0; i < 2; i++) {
#pragma unroll
    for (int j = 0; j < 2; j++) {
      wmma::store_matrix_sync(c + (row + 16 * i) * n + col + 16 * j, acc[i][j], n,
                              wmma::mem_row_major);
    }
  }
}
