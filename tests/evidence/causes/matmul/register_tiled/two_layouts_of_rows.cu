// SPDX-License-Identifier: Apache-2.0
// cause: wrong_index line=38
// says: The products are those of rows y + 16 p, but the sums are stored to rows 8 y + p.
// never: barrier
constexpr int kSide = 128, kDepth = 8;

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float as[kDepth][kSide + 4], bs[kDepth][kSide];
  const int t = threadIdx.x, x = t % 16, y = t / 16;
  const int top = blockIdx.y * kSide, left = blockIdx.x * kSide;
  float sum[8][8] = {};
  for (int first = 0; first < k; first += kDepth) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const int r = t / 8 + 32 * j, d = t % 8, e = t / 128 + 2 * j, q = t % 128;
      as[d][r] = top + r < m && first + d < k ? a[(top + r) * k + first + d] : 0;
      bs[e][q] = first + e < k && left + q < n ? b[(first + e) * n + left + q] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kDepth; ++i) {
      float ra[8], rb[8];
#pragma unroll
      for (int p = 0; p < 8; ++p) ra[p] = as[i][y + 16 * p];
#pragma unroll
      for (int q = 0; q < 8; ++q) rb[q] = bs[i][x + 16 * q];
#pragma unroll
      for (int p = 0; p < 8; ++p)
#pragma unroll
        for (int q = 0; q < 8; ++q) sum[p][q] += ra[p] * rb[q];
    }
    __syncthreads();
  }
#pragma unroll
  for (int p = 0; p < 8; ++p)
#pragma unroll
    for (int q = 0; q < 8; ++q) {
      const int row = top + 8 * y + p, column = left + x + 16 * q;
      if (row < m && column < n) c[row * n + column] = sum[p][q];
    }
}
