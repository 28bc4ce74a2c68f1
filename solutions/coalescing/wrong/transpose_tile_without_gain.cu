// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=stores_coalesced
// cause: uncoalesced_store line=23
// Has a tile and a barrier, but each thread reads back only words that it stored itself. The stores
// to `out` go down columns, as if there were no tile.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];

  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows) {
    if (column < width && row + j < height) {
      tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
    }
  }

  __syncthreads();
  for (int j = 0; j < kTile; j += kBlockRows) {
    if (column < width && row + j < height) {
      out[column * height + row + j] = tile[threadIdx.y + j][threadIdx.x];
    }
  }
}
