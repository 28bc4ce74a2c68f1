// SPDX-License-Identifier: Apache-2.0
// fails: incorrect
// cause: missing_edge
// Uses whole tiles only: the last k mod 16 products are missing.
constexpr int kTile = 16;

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float tile_a[kTile][kTile], tile_b[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  float sum = 0;
  for (int first = 0; first + kTile <= k; first += kTile) {
    tile_a[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0;
    tile_b[y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kTile; ++i) sum += tile_a[y][i] * tile_b[i][x];
    __syncthreads();  // before the next tiles replace these
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
