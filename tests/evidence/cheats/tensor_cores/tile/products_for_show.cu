// SPDX-License-Identifier: Apache-2.0
// tries: Multiplies in float, and lets the tensor cores multiply zeros for the guard on products.
// stopped by: The gate on wavefronts allows only the loads of fragments, and the speed is that of
//   floats (labs/gates.toml).
// verdict: fail mechanism, 5 points
#include <mma.h>

using namespace nvcuda;

constexpr int kSide = 64;

__global__ void matmul(float* c, const half* a, const half* b, int m, int n, int k) {
  __shared__ float tile_a[16][kSide + 1], tile_b[16][kSide];
  const int thread = threadIdx.x, x = thread % 16, y = thread / 16;
  const int top = blockIdx.y * kSide, left = blockIdx.x * kSide;
  float sum[8][4] = {};
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> show_a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> show_b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> show;
  wmma::fill_fragment(show_a, __float2half(0));
  wmma::fill_fragment(show_b, __float2half(0));
  wmma::fill_fragment(show, 0);
  for (int first = 0; first < k; first += 16) {
    for (int i = thread; i < 16 * kSide; i += 128) {
      tile_a[i % 16][i / 16] = __half2float(a[(top + i / 16) * k + first + i % 16]);
      tile_b[i / kSide][i % kSide] = __half2float(b[(first + i / kSide) * n + left + i % kSide]);
    }
    __syncthreads();
    for (int i = 0; i < 4; ++i) wmma::mma_sync(show, show_a, show_b, show);
#pragma unroll
    for (int i = 0; i < 16; ++i) {
#pragma unroll
      for (int p = 0; p < 8; ++p) {
#pragma unroll
        for (int q = 0; q < 4; ++q) sum[p][q] += tile_a[i][y + 8 * p] * tile_b[i][x + 16 * q];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int p = 0; p < 8; ++p) {
#pragma unroll
    for (int q = 0; q < 4; ++q) c[(top + y + 8 * p) * n + left + x + 16 * q] = sum[p][q] + show.x[0];
  }
}
