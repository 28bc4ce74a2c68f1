// SPDX-License-Identifier: Apache-2.0
// cause: local_memory line=27
// says: The loops over the sums end at numbers that the compiler does not know, so it cannot keep sum[8][8] in registers.
constexpr int kSide = 128, kDepth = 8;

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float ta[kDepth][kSide + 1], tb[kDepth][kSide];
  const int t = threadIdx.x, x = t % 16, y = t / 16;
  const int top = blockIdx.y * kSide, left = blockIdx.x * kSide;
  // A thread has the rows y, y + 16, ... and the columns x, x + 16, ... that are inside of c.
  const int rows = max(0, min(8, (m - top - y + 15) / 16));
  const int columns = max(0, min(8, (n - left - x + 15) / 16));
  float sum[8][8] = {};
  for (int first = 0; first < k; first += kDepth) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const int ra = top + t / 8 + 32 * j, ca = first + t % 8;
      const int rb = first + t / 128 + 2 * j, cb = left + t % 128;
      ta[t % 8][t / 8 + 32 * j] = ra < m && ca < k ? a[ra * k + ca] : 0;
      tb[t / 128 + 2 * j][t % 128] = rb < k && cb < n ? b[rb * n + cb] : 0;
    }
    __syncthreads();
    for (int i = 0; i < kDepth; ++i) {
      for (int p = 0; p < rows; ++p) {
        const float of_a = ta[i][y + 16 * p];
        for (int q = 0; q < columns; ++q) {
          sum[p][q] += of_a * tb[i][x + 16 * q];
        }
      }
    }
    __syncthreads();
  }
  for (int p = 0; p < rows; ++p) {
    for (int q = 0; q < columns; ++q) {
      c[(top + y + 16 * p) * n + left + x + 16 * q] = sum[p][q];
    }
  }
}
