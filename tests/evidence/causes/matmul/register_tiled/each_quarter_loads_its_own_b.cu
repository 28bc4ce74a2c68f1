// SPDX-License-Identifier: Apache-2.0
// cause: redundant_loads line=28
// says: Each quarter of the block loads its own copy of the tile of b, so every element of b is loaded four times;
//   let all 256 threads load and use one copy.

constexpr int kSide = 128;
constexpr int kDepth = 8;

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float tile_a[kDepth][kSide + 1];
  __shared__ float tile_b[4][kDepth][kSide];
  const int thread = threadIdx.x;
  const int quarter = thread / 64, member = thread % 64;
  const int x = thread % 16, y = thread / 16;
  const int top = blockIdx.y * kSide, left = blockIdx.x * kSide;
  float(*mine)[kSide] = tile_b[quarter];
  float sum[8][8] = {};

  for (int first = 0; first < k; first += kDepth) {
#pragma unroll
    for (int j = thread; j < kSide * kDepth; j += 256) {
      const int row = top + j / kDepth, inner = first + j % kDepth;
      tile_a[j % kDepth][j / kDepth] = row < m && inner < k ? a[row * k + inner] : 0;
    }
#pragma unroll
    for (int j = member; j < kSide * kDepth; j += 64) {
      const int inner = first + j / kSide, column = left + j % kSide;
      mine[j / kSide][j % kSide] = inner < k && column < n ? b[inner * n + column] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kDepth; ++i) {
      float u[8], v[8];
#pragma unroll
      for (int q = 0; q < 8; ++q) {
        u[q] = tile_a[i][y + 16 * q];
        v[q] = mine[i][x + 16 * q];
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
      if (row < m && column < n) c[row * n + column] = sum[p][q];
    }
  }
}
