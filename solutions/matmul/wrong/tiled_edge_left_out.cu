// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic uninitialized_read
// cause: uninitialised line=17
// Does not store the part of a tile beyond an edge, but reads it.
constexpr int kTile = 16;

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float tile_a[kTile][kTile], tile_b[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  float sum = 0;
  for (int first = 0; first < k; first += kTile) {
    if (row < m && first + x < k) tile_a[y][x] = a[row * k + first + x];
    if (first + y < k && column < n) tile_b[y][x] = b[(first + y) * n + column];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kTile; ++i) sum += tile_a[y][i] * tile_b[i][x];
    __syncthreads();  // before the next tiles replace these
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
