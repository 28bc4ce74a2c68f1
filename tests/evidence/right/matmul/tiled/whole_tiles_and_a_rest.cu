// SPDX-License-Identifier: Apache-2.0
// Processes whole tiles along k without bounds tests on k, and then a shorter tile.
constexpr int kTile = 16;

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float tile_a[kTile][kTile], tile_b[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  const int last_row = min(row, m - 1), last_column = min(column, n - 1);  // clamped: always valid
  float sum = 0;
  int first = 0;
  for (; first + kTile <= k; first += kTile) {
    tile_a[y][x] = a[last_row * k + first + x];
    tile_b[y][x] = b[(first + y) * n + last_column];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kTile; ++i) sum = fmaf(tile_a[y][i], tile_b[i][x], sum);
    __syncthreads();
  }
  if (first < k) {
    if (first + x < k) tile_a[y][x] = a[last_row * k + first + x];
    if (first + y < k) tile_b[y][x] = b[(first + y) * n + last_column];
    __syncthreads();
    for (int i = 0; i < k - first; ++i) sum = fmaf(tile_a[y][i], tile_b[i][x], sum);
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
