// SPDX-License-Identifier: Apache-2.0
// cause: wrong_stride line=39
// says: The rows of c have n elements, but the fragments are stored with rows of k.
#include <mma.h>

using namespace nvcuda::wmma;

__global__ void matmul(float* c, const half* a, const half* b, int m, int n, int k) {
  __shared__ __align__(32) half left[64 * 80], right[64 * 80];
  const int warp = threadIdx.x / 32, top = warp / 2 * 32, side = warp % 2 * 32;
  fragment<accumulator, 16, 16, 16, float> sum[2][2];
  for (auto& row : sum)
    for (auto& one : row) fill_fragment(one, 0.0f);
  for (int step = 0; step < k; step += 64) {
    for (int piece = threadIdx.x; piece < 512; piece += 128) {
      const int row = piece >> 3, column = (piece & 7) << 3;
      const half* from_a = a + (blockIdx.y * 64 + row) * k + step + column;
      const half* from_b = b + (step + row) * n + blockIdx.x * 64 + column;
      reinterpret_cast<uint4&>(left[row * 80 + column]) = reinterpret_cast<const uint4&>(*from_a);
      reinterpret_cast<uint4&>(right[row * 80 + column]) = reinterpret_cast<const uint4&>(*from_b);
    }
    __syncthreads();
    for (int deep = 0; deep < 64; deep += 16) {
      fragment<matrix_a, 16, 16, 16, half, row_major> fa;
      fragment<matrix_b, 16, 16, 16, half, row_major> fb;
      for (int p = 0; p < 2; ++p) {
        load_matrix_sync(fa, left + (top + 16 * p) * 80 + deep, 80);
        for (int q = 0; q < 2; ++q) {
          load_matrix_sync(fb, right + deep * 80 + side + 16 * q, 80);
          mma_sync(sum[p][q], fa, fb, sum[p][q]);
        }
      }
    }
    __syncthreads();
  }
  for (int p = 0; p < 2; ++p) {
    for (int q = 0; q < 2; ++q) {
      float* to = c + (blockIdx.y * 64 + top + 16 * p) * n + blockIdx.x * 64 + side + 16 * q;
      store_matrix_sync(to, sum[p][q], k, mem_row_major);
    }
  }
}
