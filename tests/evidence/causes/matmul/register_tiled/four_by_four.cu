// SPDX-License-Identifier: Apache-2.0
// cause: redundant_loads line=19
// says: Four passes over k with 64 x 64 products load each tile of a and b twice as often as one
//   pass over 128 x 128: keep 8 x 8 sums per thread.
// reports: redundant_shared_loads line=28
// never: Neighbouring lanes must load neighbouring
constexpr int kTile = 64, kDepth = 16;

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float as[kDepth][kTile + 1], bs[kDepth][kTile];
  const int t = threadIdx.x, x = t % 16, y = t / 16;
  for (int part = 0; part < 4; ++part) {
    const int top = blockIdx.y * 128 + part / 2 * kTile, left = blockIdx.x * 128 + part % 2 * kTile;
    float sum[4][4] = {};
    for (int first = 0; first < k; first += kDepth) {
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const int r = t / 16 + 16 * j, d = t % 16, e = t / 64 + 4 * j, q = t % 64;
        as[d][r] = top + r < m && first + d < k ? a[(top + r) * k + first + d] : 0;
        bs[e][q] = first + e < k && left + q < n ? b[(first + e) * n + left + q] : 0;
      }
      __syncthreads();
#pragma unroll
      for (int i = 0; i < kDepth; ++i) {
#pragma unroll
        for (int p = 0; p < 4; ++p) {
#pragma unroll
          for (int q = 0; q < 4; ++q) sum[p][q] += as[i][y + 16 * p] * bs[i][x + 16 * q];
        }
      }
      __syncthreads();
    }
    for (int p = 0; p < 4; ++p) {
      for (int q = 0; q < 4; ++q) {
        const int row = top + y + 16 * p, column = left + x + 16 * q;
        if (row < m && column < n) c[row * n + column] = sum[p][q];
      }
    }
  }
}
