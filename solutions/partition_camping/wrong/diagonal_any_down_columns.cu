// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=stores_coalesced
// cause: uncoalesced_store line=15
// Diagonal order without a tile in shared memory: the lanes store down columns.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void transpose(double* out, const double* in, int width, int height) {
  const unsigned id = blockIdx.x + gridDim.x * blockIdx.y;
  const int tile_y = id % gridDim.y;
  const int tile_x = (id / gridDim.y + tile_y) % gridDim.x;
  const int column = tile_x * kTile + threadIdx.x;
  for (int j = threadIdx.y; j < kTile; j += kBlockRows) {
    const int row = tile_y * kTile + j;
    if (column < width && row < height) out[column * height + row] = in[row * width + column];
  }
}
