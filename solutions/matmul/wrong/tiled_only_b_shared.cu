// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=sectors_loaded
// cause: no_tile line=17
// Shares the tile of b, but loads a element by element.
constexpr int kTile = 16;

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float tile_b[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  float sum = 0;
  for (int first = 0; first < k; first += kTile) {
    tile_b[y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kTile; ++i) {
      if (row < m && first + i < k) sum += a[row * k + first + i] * tile_b[i][x];
    }
    __syncthreads();  // before the next tiles replace these
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
