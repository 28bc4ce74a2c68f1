// SPDX-License-Identifier: Apache-2.0
// cuda::pipeline of a thread.
#include <cuda/pipeline>
#include <mma.h>

using namespace nvcuda;

constexpr int kSide = 128, kDepth = 32, kStages = 2, kPad = 8;

struct Stage {
  half a[kSide][kDepth + kPad];
  half b[kDepth][kSide + kPad];
};

__global__ void matmul(float* c, const half* a, const half* b, int m, int n, int k) {
  __shared__ __align__(32) Stage stages[kStages];
  const int thread = threadIdx.x, warp = thread / 32;
  const int top = blockIdx.y * kSide, left = blockIdx.x * kSide;
  const int own_row = warp / 4 * 64, own_column = warp % 4 * 32;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[4][2];
#pragma unroll
  for (int p = 0; p < 4; ++p) {
#pragma unroll
    for (int q = 0; q < 2; ++q) wmma::fill_fragment(sum[p][q], 0.0f);
  }
  auto pipe = cuda::make_pipeline();
  const auto load = [&](int step) {
    pipe.producer_acquire();
    const int first = step * kDepth;
    if (first < k) {
      Stage& to = stages[step % kStages];
#pragma unroll
      for (int i = thread; i < kSide * kDepth / 8; i += 256) {
        const int row = i / (kDepth / 8), column = i % (kDepth / 8) * 8;
        cuda::memcpy_async((uint4*)&to.a[row][column], (const uint4*)&a[(top + row) * k + first + column],
                            sizeof(uint4), pipe);
      }
#pragma unroll
      for (int i = thread; i < kSide * kDepth / 8; i += 256) {
        const int row = i / (kSide / 8), column = i % (kSide / 8) * 8;
        cuda::memcpy_async((uint4*)&to.b[row][column], (const uint4*)&b[(first + row) * n + left + column],
                            sizeof(uint4), pipe);
      }
    }
    pipe.producer_commit();
  };
#pragma unroll
  for (int step = 0; step < kStages - 1; ++step) load(step);
  for (int step = 0; step * kDepth < k; ++step) {
    cuda::pipeline_consumer_wait_prior<kStages - 2>(pipe);
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
    pipe.consumer_release();
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
