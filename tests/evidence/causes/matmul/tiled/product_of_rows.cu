// SPDX-License-Identifier: Apache-2.0
// cause: swapped_indices|wrong_index line=16
// says: Row i of b belongs to the product, tile_b[i][x]: the access exchanges row and column.
constexpr int kTile = 16;

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float tile_a[kTile][kTile], tile_b[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  float sum = 0;
  for (int first = 0; first < k; first += kTile) {
    tile_a[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0;
    tile_b[y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kTile; ++i) sum += tile_a[y][i] * tile_b[x][i];
    __syncthreads();  // before the next tiles replace these
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
