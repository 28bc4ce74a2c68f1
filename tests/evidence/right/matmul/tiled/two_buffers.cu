// SPDX-License-Identifier: Apache-2.0
// Two buffers and one barrier per step: loads the next tiles while it uses the current ones.
constexpr int kTile = 16;

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float tile_a[2][kTile][kTile], tile_b[2][kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  const auto load = [&](int buffer, int first) {
    tile_a[buffer][y][x] = row < m && first + x < k ? a[row * k + first + x] : 0;
    tile_b[buffer][y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0;
  };
  float sum = 0;
  int now = 0;
  load(now, 0);
  __syncthreads();
  for (int first = 0; first < k; first += kTile) {
    if (first + kTile < k) load(now ^ 1, first + kTile);
#pragma unroll
    for (int i = 0; i < kTile; ++i) sum += tile_a[now][y][i] * tile_b[now][i][x];
    now ^= 1;
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
