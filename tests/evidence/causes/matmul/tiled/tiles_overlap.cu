// SPDX-License-Identifier: Apache-2.0
// cause: race|wrong_index line=11
// says: tile_b begins in the last row of tile_a, so both tiles store to the same 16 words: it
//   must begin at kTile * kTile.
// never: __syncthreads
constexpr int kTile = 16;

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float buffer[2 * kTile * kTile];
  float* tile_a = buffer;
  float* tile_b = buffer + kTile * (kTile - 1);
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  float sum = 0;
  for (int first = 0; first < k; first += kTile) {
    tile_a[y * kTile + x] = row < m && first + x < k ? a[row * k + first + x] : 0;
    tile_b[y * kTile + x] = first + y < k && column < n ? b[(first + y) * n + column] : 0;
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += tile_a[y * kTile + i] * tile_b[i * kTile + x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
