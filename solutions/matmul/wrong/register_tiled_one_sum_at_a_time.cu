// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=wavefronts
// cause: redundant_shared_loads line=29
// Loads both operands again for each of the 64 multiply-adds.
constexpr int kSide = 128, kDepth = 8, kOwn = 8;

// Thread (x, y) owns columns x, x + 16, x + 32 ... and rows y, y + 16, y + 32 ...
__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float tile_a[kDepth][kSide + 4], tile_b[kDepth][kSide];
  const int thread = threadIdx.x, x = thread % 16, y = thread / 16;
  const int top = blockIdx.y * kSide, left = blockIdx.x * kSide;
  float sum[kOwn][kOwn] = {};
  for (int first = 0; first < k; first += kDepth) {
    for (int i = thread; i < kDepth * kSide; i += 256) {
      const int row = top + i / kDepth, inner_a = first + i % kDepth;
      tile_a[i % kDepth][i / kDepth] = row < m && inner_a < k ? a[row * k + inner_a] : 0;
      const int column = left + i % kSide, inner_b = first + i / kSide;
      tile_b[i / kSide][i % kSide] = inner_b < k && column < n ? b[inner_b * n + column] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kDepth; ++i) {
#pragma unroll
      for (int p = 0; p < kOwn; ++p) {
#pragma unroll
        for (int q = 0; q < kOwn; ++q) {
          const volatile float* own_a = &tile_a[i][y + 16 * p];
          const volatile float* own_b = &tile_b[i][x + 16 * q];
          sum[p][q] += *own_a * *own_b;
        }
      }
    }
    __syncthreads();
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
