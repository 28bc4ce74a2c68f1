// SPDX-License-Identifier: Apache-2.0
// cause: missing_edge line=14
// says: The loop makes k / 16 steps, so the last k % 16 products are left out: round up.
// never: barrier
constexpr int kTile = 16;

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float tile_a[kTile][kTile], tile_b[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  const float* left = a + row * k + x;
  const float* right = b + y * n + column;
  float sum = 0;
  for (int step = 0; step < k / kTile; ++step) {
    tile_a[y][x] = row < m ? left[step * kTile] : 0;
    tile_b[y][x] = column < n ? right[step * kTile * n] : 0;
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += tile_a[y][i] * tile_b[i][x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
