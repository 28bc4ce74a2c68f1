// SPDX-License-Identifier: Apache-2.0
// cause: wrong_stride line=22
// says: A row of a has k halves, not n: the loads of a step from row to row with the row length of b.
// reports: out_of_bounds line=22
#include <mma.h>

using namespace nvcuda;

// Tiles of 64 x 32 and 32 x 64. Rows of 40 and 72 halves avoid bank conflicts.
__global__ void matmul(float* c, const half* a, const half* b, int m, int n, int k) {
  __shared__ __align__(32) half left_tile[64][40], right_tile[32][72];
  const int t = threadIdx.x, w = t / 32;
  const int y0 = blockIdx.y * 64, x0 = blockIdx.x * 64;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> out[2][2];
  for (int i = 0; i < 4; ++i) wmma::fill_fragment(out[i / 2][i % 2], 0.0f);

  uint4 from_a[2], from_b[2];
  auto fetch = [&](int at) {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int p = t + h * 128;
      from_a[h] = *reinterpret_cast<const uint4*>(a + (y0 + p / 4) * n + at + p % 4 * 8);
      from_b[h] = *reinterpret_cast<const uint4*>(b + (at + p / 8) * n + x0 + p % 8 * 8);
    }
  };

  fetch(0);
  for (int at = 0; at < k; at += 32) {
    __syncthreads();
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int p = t + h * 128;
      *reinterpret_cast<uint4*>(&left_tile[p / 4][p % 4 * 8]) = from_a[h];
      *reinterpret_cast<uint4*>(&right_tile[p / 8][p % 8 * 8]) = from_b[h];
    }
    __syncthreads();
    if (at + 32 < k) fetch(at + 32);
#pragma unroll
    for (int d = 0; d < 2; ++d) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> l[2];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> r[2];
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        wmma::load_matrix_sync(l[i], &left_tile[w / 2 * 32 + i * 16][d * 16], 40);
        wmma::load_matrix_sync(r[i], &right_tile[d * 16][w % 2 * 32 + i * 16], 72);
      }
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        wmma::mma_sync(out[i / 2][i % 2], l[i / 2], r[i % 2], out[i / 2][i % 2]);
      }
    }
  }
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    float* to = c + (y0 + w / 2 * 32 + i / 2 * 16) * n + x0 + w % 2 * 32 + i % 2 * 16;
    wmma::store_matrix_sync(to, out[i / 2][i % 2], n, wmma::mem_row_major);
  }
}
