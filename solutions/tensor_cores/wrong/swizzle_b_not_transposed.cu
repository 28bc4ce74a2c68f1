// SPDX-License-Identifier: Apache-2.0
// fails: incorrect
// cause: wrong_operation
// Loads b without .trans: its rows are those of k.
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

constexpr int kSide = 128, kDepth = 32, kStages = 3;

struct Stage {
  half a[kSide * kDepth], b[kDepth * kSide];
};

// Indices of the first half of a piece.
__device__ int place_a(int row, int piece) { return row * kDepth + (piece ^ (row / 2 % 4)) * 8; }
__device__ int place_b(int row, int piece) { return row * kSide + (piece ^ (row % 8)) * 8; }

__device__ void load_four(unsigned (&to)[4], const half* from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"((unsigned)__cvta_generic_to_shared(from)) : "memory");
}

__device__ void load_four_transposed(unsigned (&to)[4], const half* from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"((unsigned)__cvta_generic_to_shared(from)) : "memory");
}

__device__ void multiply(float (&sum)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
               "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__global__ void matmul(float* c, const half* a, const half* b, int m, int n, int k) {
  __shared__ __align__(128) Stage stages[kStages];
  const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
  const int top = blockIdx.y * kSide, left = blockIdx.x * kSide;
  const int own_row = warp / 4 * 64, own_column = warp % 4 * 32;
  float sum[4][4][4] = {};
  const auto load = [&](int step) {
    const int first = step * kDepth;
    if (first < k) {
      Stage& to = stages[step % kStages];
#pragma unroll
      for (int i = thread; i < kSide * 4; i += 256) {
        const int row = i / 4, piece = i % 4;
        __pipeline_memcpy_async(&to.a[place_a(row, piece)], &a[(top + row) * k + first + piece * 8],
                                16);
      }
#pragma unroll
      for (int i = thread; i < kDepth * 16; i += 256) {
        const int row = i / 16, piece = i % 16;
        __pipeline_memcpy_async(&to.b[place_b(row, piece)],
                                &b[(first + row) * n + left + piece * 8], 16);
      }
    }
    __pipeline_commit();
  };
  load(0);
  load(1);
  for (int step = 0; step * kDepth < k; ++step) {
    __pipeline_wait_prior(kStages - 2);
    __syncthreads();
    load(step + kStages - 1);
    const Stage& now = stages[step % kStages];
#pragma unroll
    for (int i = 0; i < kDepth; i += 16) {
      unsigned rows[4][4], columns[2][4];
#pragma unroll
      for (int q = 0; q < 2; ++q) {
        load_four_transposed(columns[q],
                             &now.b[place_b(i + lane % 16, own_column / 8 + 2 * q + lane / 16)]);
      }
#pragma unroll
      for (int p = 0; p < 4; ++p) {
        load_four(rows[p], &now.a[place_a(own_row + 16 * p + lane % 16, i / 8 + lane / 16)]);
      }
#pragma unroll
      for (int p = 0; p < 4; ++p) {
#pragma unroll
        for (int q = 0; q < 4; ++q) {
          multiply(sum[p][q], rows[p], columns[q / 2][q % 2 * 2], columns[q / 2][q % 2 * 2 + 1]);
        }
      }
    }
  }
  // Lane 4 g + t has columns 2 t and 2 t + 1 of rows g and g + 8.
#pragma unroll
  for (int p = 0; p < 4; ++p) {
#pragma unroll
    for (int q = 0; q < 4; ++q) {
      const int row = top + own_row + 16 * p + lane / 4;
      const int column = left + own_column + 8 * q + lane % 4 * 2;
      *(float2*)&c[row * n + column] = make_float2(sum[p][q][0], sum[p][q][1]);
      *(float2*)&c[(row + 8) * n + column] = make_float2(sum[p][q][2], sum[p][q][3]);
    }
  }
}
