// SPDX-License-Identifier: Apache-2.0
// cause: swapped_indices line=48
// says: sum[p][q] belongs to the thread's row p and column q, but the store takes sum[q][p], so
//   rows and columns of each thread are exchanged.
constexpr int kSide = 128, kDepth = 8;

struct Step {
  float a[kDepth][kSide + 4];
  float b[kDepth][kSide];
};

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ Step step;
  const int t = threadIdx.x, x = t % 16, y = t / 16;
  const int top = blockIdx.y * kSide, left = blockIdx.x * kSide;

  float sum[8][8] = {};
  for (int at = 0; at < k; at += kDepth) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const int r = t / 8 + 32 * j, i = t % 8;
      step.a[i][r] = top + r < m && at + i < k ? a[(top + r) * k + at + i] : 0;
      const int s = t / 128 + 2 * j, w = t % 128;
      step.b[s][w] = at + s < k && left + w < n ? b[(at + s) * n + left + w] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kDepth; ++i) {
      float u[8], v[8];
#pragma unroll
      for (int p = 0; p < 8; ++p) {
        u[p] = step.a[i][y + 16 * p];
        v[p] = step.b[i][x + 16 * p];
      }
#pragma unroll
      for (int p = 0; p < 8; ++p) {
#pragma unroll
        for (int q = 0; q < 8; ++q) sum[p][q] += u[p] * v[q];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int p = 0; p < 8; ++p) {
#pragma unroll
    for (int q = 0; q < 8; ++q) {
      const int row = top + y + 16 * p, column = left + x + 16 * q;
      if (row < m && column < n) c[row * n + column] = sum[q][p];
    }
  }
}
