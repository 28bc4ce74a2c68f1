// SPDX-License-Identifier: Apache-2.0
// Exercise tensor_cores/pipeline: copy the next tiles while tensor cores multiply the current ones.
//
// Input: `a`, `m` rows of `k` halves, and `b`, `k` rows of `n` halves, row by row. All sides are
// multiples of 128.
// Output: `c`, `m` rows of `n` floats: c = a * b, with sums in single precision.
// Launch: n / 128 x m / 128 blocks of 256 threads; no dynamic shared memory.
// Allowed: all device code of CUDA C++.
// Edit: the body of the kernel. Keep its name and its parameters.
//
// The kernel below is right and slow: all warps load, then all warps multiply, and every half passes
// through a register on its way to shared memory. Keep two or more stages of tiles, and fill them by
// asynchronous copies, which need no register and no waiting thread. Then run
//   ./warpgrade grade tensor_cores/pipeline
#include <mma.h>

using namespace nvcuda;

constexpr int kSide = 128, kDepth = 32, kPad = 8;

struct Stage {
  half a[kSide][kDepth + kPad];
  half b[kDepth][kSide + kPad];
};

__global__ void matmul(float* c, const half* a, const half* b, int m, int n, int k) {
  __shared__ __align__(32) Stage now;
  const int thread = threadIdx.x, warp = thread / 32;
  const int top = blockIdx.y * kSide, left = blockIdx.x * kSide;
  const int own_row = warp / 4 * 64, own_column = warp % 4 * 32;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[4][2];
#pragma unroll
  for (int p = 0; p < 4; ++p) {
#pragma unroll
    for (int q = 0; q < 2; ++q) wmma::fill_fragment(sum[p][q], 0.0f);
  }
  for (int first = 0; first < k; first += kDepth) {
#pragma unroll 1
    for (int i = thread; i < kSide * kDepth / 8; i += 256) {
      const int row = i / (kDepth / 8), column = i % (kDepth / 8) * 8;
      *(uint4*)&now.a[row][column] = *(const uint4*)&a[(top + row) * k + first + column];
    }
#pragma unroll 1
    for (int i = thread; i < kSide * kDepth / 8; i += 256) {
      const int row = i / (kSide / 8), column = i % (kSide / 8) * 8;
      *(uint4*)&now.b[row][column] = *(const uint4*)&b[(first + row) * n + left + column];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kDepth; i += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> rows[4];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> columns[2];
#pragma unroll
      for (int q = 0; q < 2; ++q) {
        wmma::load_matrix_sync(columns[q], &now.b[i][own_column + 16 * q], kSide + kPad);
      }
#pragma unroll
      for (int p = 0; p < 4; ++p) {
        wmma::load_matrix_sync(rows[p], &now.a[own_row + 16 * p][i], kDepth + kPad);
      }
#pragma unroll
      for (int p = 0; p < 4; ++p) {
#pragma unroll
        for (int q = 0; q < 2; ++q) wmma::mma_sync(sum[p][q], rows[p], columns[q], sum[p][q]);
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int p = 0; p < 4; ++p) {
#pragma unroll
    for (int q = 0; q < 2; ++q) {
      wmma::store_matrix_sync(&c[(top + own_row + 16 * p) * n + left + own_column + 16 * q],
                              sum[p][q], n, wmma::mem_row_major);
    }
  }
}
