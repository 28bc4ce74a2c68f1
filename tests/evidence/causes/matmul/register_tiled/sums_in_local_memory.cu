// SPDX-License-Identifier: Apache-2.0
// cause: local_memory line=26
// says: The loops over the sums are not unrolled, so sum[p][q] is in local memory and each
//   multiply-add loads and stores it there.
// never: into shared memory
constexpr int kSide = 128, kDepth = 8;

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float as[kDepth][kSide + 1], bs[kDepth][kSide];
  const int t = threadIdx.x, x = t % 16, y = t / 16;
  const int top = blockIdx.y * kSide, left = blockIdx.x * kSide;
  float sum[8][8] = {};
  for (int first = 0; first < k; first += kDepth) {
    for (int j = 0; j < 4; ++j) {
      const int r = t / 8 + 32 * j, d = t % 8, e = t / 128 + 2 * j, q = t % 128;
      as[d][r] = top + r < m && first + d < k ? a[(top + r) * k + first + d] : 0;
      bs[e][q] = first + e < k && left + q < n ? b[(first + e) * n + left + q] : 0;
    }
    __syncthreads();
    for (int i = 0; i < kDepth; ++i) {
      float mine[8];
      for (int q = 0; q < 8; ++q) mine[q] = bs[i][x + 16 * q];
#pragma unroll 1
      for (int p = 0; p < 8; ++p) {
        const float left_factor = as[i][y + 16 * p];
        for (int q = 0; q < 8; ++q) sum[p][q] += left_factor * mine[q];
      }
    }
    __syncthreads();
  }
  for (int p = 0; p < 8; ++p) {
    for (int q = 0; q < 8; ++q) {
      const int row = top + y + 16 * p, column = left + x + 16 * q;
      if (row < m && column < n) c[row * n + column] = sum[p][q];
    }
  }
}
