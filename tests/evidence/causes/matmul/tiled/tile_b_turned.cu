// SPDX-License-Identifier: Apache-2.0
// cause: bank_conflicts line=18
// says: tile_b is stored turned, so lanes with neighbouring x read words 16 apart, in two banks
//   only: read tile_b[i][x].
// never: Let each block load an element once
constexpr int kTile = 16;

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float tile_a[kTile][kTile], tile_b[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  float sum = 0;
  for (int first = 0; first < k; first += kTile) {
    tile_a[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0;
    tile_b[x][y] = first + y < k && column < n ? b[(first + y) * n + column] : 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kTile; ++i) sum += tile_a[y][i] * tile_b[x][i];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
