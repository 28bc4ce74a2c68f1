// SPDX-License-Identifier: Apache-2.0
// Tiles of 16 x 32 and 32 x 16: half as many barriers.
constexpr int kTile = 16, kDepth = 32;

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float tile_a[kTile][kDepth + 1], tile_b[kDepth][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  float sum = 0;
  for (int first = 0; first < k; first += kDepth) {
#pragma unroll
    for (int j = 0; j < kDepth; j += kTile) {
      const int inner_a = first + x + j, inner_b = first + y + j;
      tile_a[y][x + j] = row < m && inner_a < k ? a[row * k + inner_a] : 0;
      tile_b[y + j][x] = inner_b < k && column < n ? b[inner_b * n + column] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kDepth; ++i) sum += tile_a[y][i] * tile_b[i][x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
