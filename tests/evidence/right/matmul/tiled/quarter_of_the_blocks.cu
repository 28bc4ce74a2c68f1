// SPDX-License-Identifier: Apache-2.0
// Padded tiles of 32 x 32: each thread computes 2 x 2 elements, and three of four blocks exit at
// once.
constexpr int T = 32, H = 16;
__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  if (blockIdx.x % 2 != 0 || blockIdx.y % 2 != 0) return;
  __shared__ float sa[T][T + 1], sb[T][T + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row0 = blockIdx.y * H, col0 = blockIdx.x * H;
  float sum[2][2] = {};
  for (int k0 = 0; k0 < k; k0 += T) {
    for (int dy = 0; dy < T; dy += H) {
      for (int dx = 0; dx < T; dx += H) {
        const int r = row0 + y + dy, q = k0 + x + dx;
        sa[y + dy][x + dx] = r < m && q < k ? a[r * k + q] : 0.f;
        const int s = k0 + y + dy, col = col0 + x + dx;
        sb[y + dy][x + dx] = s < k && col < n ? b[s * n + col] : 0.f;
      }
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < T; ++i) {
      const float a0 = sa[y][i], a1 = sa[y + H][i], b0 = sb[i][x], b1 = sb[i][x + H];
      sum[0][0] += a0 * b0;
      sum[0][1] += a0 * b1;
      sum[1][0] += a1 * b0;
      sum[1][1] += a1 * b1;
    }
    __syncthreads();
  }
  for (int dy = 0; dy < 2; ++dy) {
    for (int dx = 0; dx < 2; ++dx) {
      const int r = row0 + y + dy * H, col = col0 + x + dx * H;
      if (r < m && col < n) c[r * n + col] = sum[dy][dx];
    }
  }
}
