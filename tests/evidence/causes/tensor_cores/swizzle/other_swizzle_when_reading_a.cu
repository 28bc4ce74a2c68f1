// SPDX-License-Identifier: Apache-2.0
// cause: wrong_index line=71
// says: Pieces of a are copied to place p ^ (r / 2 % 4) but read from place p ^ (r % 4): both sides must use the same permutation.
// reports: wrong_index line=47
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

constexpr int kSide = 128, kDepth = 32, kStages = 3;

struct Stage {
  half a[kSide * kDepth], b[kDepth * kSide];
};

__device__ void load_four(unsigned (&to)[4], const half* from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"((unsigned)__cvta_generic_to_shared(from)) : "memory");
}

__device__ void load_four_transposed(unsigned (&to)[4], const half* from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
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
  __shared__ __align__(128) Stage ring[kStages];
  const int t = threadIdx.x, warp = t / 32, lane = t % 32;
  const int y0 = blockIdx.y * kSide, x0 = blockIdx.x * kSide;
  const int wy = warp / 4 * 64, wx = warp % 4 * 32;
  float acc[4][4][4] = {};
  const auto copy = [&](int step) {
    if (step * kDepth < k) {
      Stage& to = ring[step % kStages];
      const half* ga = a + y0 * k + step * kDepth;
      const half* gb = b + step * kDepth * n + x0;
#pragma unroll
      for (int j = 0; j < 2; ++j) {
        const int ra = t / 4 + 64 * j, pa = t % 4, rb = t / 16 + 16 * j, pb = t % 16;
        __pipeline_memcpy_async(&to.a[ra * 32 + (pa ^ (ra / 2 % 4)) * 8], ga + ra * k + pa * 8, 16);
        __pipeline_memcpy_async(&to.b[rb * 128 + (pb ^ rb % 8) * 8], gb + rb * n + pb * 8, 16);
      }
    }
    __pipeline_commit();
  };
  copy(0);
  copy(1);
  for (int step = 0; step < k / kDepth; ++step) {
    __pipeline_wait_prior(1);
    __syncthreads();
    copy(step + 2);
    const Stage& now = ring[step % kStages];
#pragma unroll
    for (int d = 0; d < 2; ++d) {
      unsigned left[4][4], right[2][4];
#pragma unroll
      for (int q = 0; q < 2; ++q) {
        const int r = 16 * d + lane % 16, p = wx / 8 + 2 * q + lane / 16;
        load_four_transposed(right[q], &now.b[r * 128 + (p ^ r % 8) * 8]);
      }
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int r = wy + 16 * i + lane % 16, p = 2 * d + lane / 16;
        load_four(left[i], &now.a[r * 32 + (p ^ (r % 4)) * 8]);
#pragma unroll
        for (int q = 0; q < 4; ++q) {
          multiply(acc[i][q], left[i], right[q / 2][q % 2 * 2], right[q / 2][q % 2 * 2 + 1]);
        }
      }
    }
  }
#pragma unroll
  for (int i = 0; i < 4; ++i) {
#pragma unroll
    for (int q = 0; q < 4; ++q) {
      float* to = c + (y0 + wy + 16 * i + lane / 4) * n + x0 + wx + 8 * q + lane % 4 * 2;
      *(float2*)to = make_float2(acc[i][q][0], acc[i][q][1]);
      *(float2*)(to + 8 * n) = make_float2(acc[i][q][2], acc[i][q][3]);
    }
  }
}
