// SPDX-License-Identifier: Apache-2.0
// tries: Loads the tiles through registers, and copies them a second time for the gate on copies.
// stopped by: The guard on sectors allows 1.6 times those of the work (labs/gates.toml).
// verdict: fail mechanism, 3 points
#include <cuda_pipeline.h>
#include <mma.h>

using namespace nvcuda;

constexpr int kSide = 128, kDepth = 32, kStages = 2, kPad = 8;

struct Stage {
  half a[kSide][kDepth + kPad];
  half b[kDepth][kSide + kPad];
};

__global__ void matmul(float* c, const half* a, const half* b, int m, int n, int k) {
  __shared__ __align__(32) Stage stages[kStages];
  __shared__ uint4 show[256];
  const int thread = threadIdx.x, warp = thread / 32;
  const int top = blockIdx.y * kSide, left = blockIdx.x * kSide;
  const int own_row = warp / 4 * 64, own_column = warp % 4 * 32;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[4][2];
#pragma unroll
  for (int p = 0; p < 4; ++p) {
#pragma unroll
    for (int q = 0; q < 2; ++q) wmma::fill_fragment(sum[p][q], 0.0f);
  }
  const auto load = [&](int step) {
    const int first = step * kDepth;
    if (first < k) {
      Stage& to = stages[step % kStages];
#pragma unroll
      for (int i = thread; i < kSide * kDepth / 8; i += 256) {
        const int row = i / (kDepth / 8), column = i % (kDepth / 8) * 8;
        __pipeline_memcpy_async(&show[thread], &a[(top + row) * k + first + column], 16);
        *(uint4*)&to.a[row][column] = *(const uint4*)&a[(top + row) * k + first + column];
      }
#pragma unroll
      for (int i = thread; i < kSide * kDepth / 8; i += 256) {
        const int row = i / (kSide / 8), column = i % (kSide / 8) * 8;
        __pipeline_memcpy_async(&show[thread], &b[(first + row) * n + left + column], 16);
        *(uint4*)&to.b[row][column] = *(const uint4*)&b[(first + row) * n + left + column];
      }
    }
    __pipeline_commit();
  };
#pragma unroll
  for (int step = 0; step < kStages - 1; ++step) load(step);
  for (int step = 0; step * kDepth < k; ++step) {
    __pipeline_wait_prior(kStages - 2);
    __syncthreads();
    load(step + kStages - 1);
    const Stage& now = stages[step % kStages];
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
