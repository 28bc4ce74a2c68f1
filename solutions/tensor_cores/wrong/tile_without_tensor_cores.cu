// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=products
// Multiplies in float, without tensor cores: 8 x 4 sums per thread.
#include <cuda_fp16.h>

constexpr int kSide = 64;

__global__ void matmul(float* c, const half* a, const half* b, int m, int n, int k) {
  __shared__ float tile_a[16][kSide + 1], tile_b[16][kSide];
  const int thread = threadIdx.x, x = thread % 16, y = thread / 16;
  const int top = blockIdx.y * kSide, left = blockIdx.x * kSide;
  float sum[8][4] = {};
  for (int first = 0; first < k; first += 16) {
    for (int i = thread; i < 16 * kSide; i += 128) {
      tile_a[i % 16][i / 16] = __half2float(a[(top + i / 16) * k + first + i % 16]);
      tile_b[i / kSide][i % kSide] = __half2float(b[(first + i / kSide) * n + left + i % kSide]);
    }
    __syncthreads();
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
    for (int q = 0; q < 4; ++q) c[(top + y + 8 * p) * n + left + x + 16 * q] = sum[p][q];
  }
}
