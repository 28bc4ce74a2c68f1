// SPDX-License-Identifier: Apache-2.0
// cause: race|wrong_index|missing_barrier line=36
// says: The stage is chosen by first % 2, and first is a multiple of 32: all steps use stage 0, which is
//   still read.
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

__device__ void copy(half* to, const half* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
               :: "r"((unsigned)__cvta_generic_to_shared(to)), "l"(from) : "memory");
}

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
  const auto load = [&](int step) {
    const int first = step * kDepth;
    if (first < k) {
      Stage& to = stages[first % kStages];
#pragma unroll
      for (int i = thread; i < kSide * kDepth / 8; i += 256) {
        const int row = i / (kDepth / 8), column = i % (kDepth / 8) * 8;
        copy(&to.a[row][column], &a[(top + row) * k + first + column]);
      }
#pragma unroll
      for (int i = thread; i < kSide * kDepth / 8; i += 256) {
        const int row = i / (kSide / 8), column = i % (kSide / 8) * 8;
        copy(&to.b[row][column], &b[(first + row) * n + left + column]);
      }
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
#pragma unroll
  for (int step = 0; step < kStages - 1; ++step) load(step);
  for (int step = 0; step * kDepth < k; ++step) {
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    load(step + kStages - 1);
    const Stage& now = stages[step * kDepth % kStages];
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
