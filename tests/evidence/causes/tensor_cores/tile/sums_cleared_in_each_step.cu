// SPDX-License-Identifier: Apache-2.0
// cause: wrong_start line=20
// says: The accumulators are set to 0 in each step along k, so only the products of the last step remain.
#include <mma.h>

using namespace nvcuda;

constexpr int kSide = 64, kPitch = 72;

__global__ void matmul(float* c, const half* a, const half* b, int m, int n, int k) {
  __shared__ __align__(32) half as[kSide * kPitch];
  __shared__ __align__(32) half bs[kSide * kPitch];
  const int t = threadIdx.x, warp = t / 32;
  const int top = blockIdx.y * kSide, left = blockIdx.x * kSide;
  const int y = warp / 2 * 32, x = warp % 2 * 32;

  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc[2][2];
  for (int step = 0; step < k / kSide; ++step) {
#pragma unroll
    for (int p = 0; p < 4; ++p) wmma::fill_fragment(acc[p / 2][p % 2], 0.0f);
#pragma unroll
    for (int piece = t; piece < 512; piece += 128) {
      const int row = piece / 8, at = piece % 8 * 8;
      *reinterpret_cast<uint4*>(as + row * kPitch + at) =
          *reinterpret_cast<const uint4*>(a + (top + row) * k + step * kSide + at);
      *reinterpret_cast<uint4*>(bs + row * kPitch + at) =
          *reinterpret_cast<const uint4*>(b + (step * kSide + row) * n + left + at);
    }
    __syncthreads();
#pragma unroll
    for (int d = 0; d < kSide; d += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa[2];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb[2];
#pragma unroll
      for (int p = 0; p < 2; ++p) {
        wmma::load_matrix_sync(fa[p], as + (y + 16 * p) * kPitch + d, kPitch);
        wmma::load_matrix_sync(fb[p], bs + d * kPitch + x + 16 * p, kPitch);
      }
#pragma unroll
      for (int p = 0; p < 4; ++p) wmma::mma_sync(acc[p / 2][p % 2], fa[p / 2], fb[p % 2], acc[p / 2][p % 2]);
    }
    __syncthreads();
  }
#pragma unroll
  for (int p = 0; p < 4; ++p) {
    float* to = c + (top + y + p / 2 * 16) * n + left + x + p % 2 * 16;
    wmma::store_matrix_sync(to, acc[p / 2][p % 2], n, wmma::mem_row_major);
  }
}
