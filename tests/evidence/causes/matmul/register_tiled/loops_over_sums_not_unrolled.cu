// SPDX-License-Identifier: Apache-2.0
// cause: local_memory line=32
// says: The loops over the sums are not unrolled, so sum is indexed by variables and lives in local memory instead
//   of registers.

constexpr int kSide = 128, kDepth = 8, kOwn = 8;

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float sa[kDepth][kSide + 1];
  __shared__ float sb[kDepth][kSide];
  const int thread = threadIdx.x, x = thread % 16, y = thread / 16;
  const int top = blockIdx.y * kSide, left = blockIdx.x * kSide;
  float sum[kOwn * kOwn] = {};
  for (int first = 0; first < k; first += kDepth) {
    for (int j = thread; j < kSide * kDepth; j += 256) {
      const int row = top + j / kDepth, column = left + j % kSide;
      const int inner_a = first + j % kDepth, inner_b = first + j / kSide;
      sa[j % kDepth][j / kDepth] = row < m && inner_a < k ? a[row * k + inner_a] : 0;
      sb[j / kSide][j % kSide] = inner_b < k && column < n ? b[inner_b * n + column] : 0;
    }
    __syncthreads();
    for (int i = 0; i < kDepth; ++i) {
      float u[kOwn], v[kOwn];
#pragma unroll
      for (int q = 0; q < kOwn; ++q) {
        u[q] = sa[i][y + 16 * q];
        v[q] = sb[i][x + 16 * q];
      }
#pragma unroll 1
      for (int p = 0; p < kOwn; ++p) {
#pragma unroll 1
        for (int q = 0; q < kOwn; ++q) sum[p * kOwn + q] += u[p] * v[q];
      }
    }
    __syncthreads();
  }
#pragma unroll 1
  for (int p = 0; p < kOwn * kOwn; ++p) {
    const int row = top + y + p / kOwn * 16, column = left + x + p % kOwn * 16;
    if (row < m && column < n) c[row * n + column] = sum[p];
  }
}
