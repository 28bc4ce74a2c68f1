// SPDX-License-Identifier: Apache-2.0
// cause: uncoalesced_load|partial_sectors line=14
// says: threadIdx.x chooses the row, so the lanes of a warp load down columns of a and b: 8 of
//   32 bytes of each sector are used. Let threadIdx.x be the column.
// never: Let each block load an element once;into shared memory
constexpr int kTile = 16;

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float tile_a[kTile][kTile + 1], tile_b[kTile][kTile + 1];
  const int x = threadIdx.y, y = threadIdx.x;
  const int row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  float sum = 0;
  for (int first = 0; first < k; first += kTile) {
    tile_a[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0;
    tile_b[y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kTile; ++i) sum += tile_a[y][i] * tile_b[i][x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
