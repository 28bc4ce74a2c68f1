// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=sectors_loaded
// cause: no_tile line=16
// No tiles: loads the operands of a thread's 64 sums straight from global memory.
constexpr int kSide = 128, kOwn = 8;

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  const int x = threadIdx.x % 16, y = threadIdx.x / 16;
  const int top = blockIdx.y * kSide, left = blockIdx.x * kSide;
  float sum[kOwn][kOwn] = {};
  for (int i = 0; i < k; ++i) {
    float own_a[kOwn], own_b[kOwn];
#pragma unroll
    for (int p = 0; p < kOwn; ++p) {
      const int row = top + y + 16 * p, column = left + x + 16 * p;
      own_a[p] = row < m ? a[row * k + i] : 0;
      own_b[p] = column < n ? b[i * n + column] : 0;
    }
#pragma unroll
    for (int p = 0; p < kOwn; ++p) {
#pragma unroll
      for (int q = 0; q < kOwn; ++q) sum[p][q] += own_a[p] * own_b[q];
    }
  }
#pragma unroll
  for (int p = 0; p < kOwn; ++p) {
#pragma unroll
    for (int q = 0; q < kOwn; ++q) {
      const int row = top + y + 16 * p, column = left + x + 16 * q;
      if (row < m && column < n) c[row * n + column] = sum[p][q];
    }
  }
}
