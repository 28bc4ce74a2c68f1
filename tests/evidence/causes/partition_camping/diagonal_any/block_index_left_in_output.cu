// SPDX-License-Identifier: Apache-2.0
// cause: wrong_index line=23
// says: The row in the output must come from the tile that the block has now, tile_x, and not from blockIdx.x.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void transpose(double* out, const double* in, int width, int height) {
  __shared__ double tile[kTile][kTile + 1];

  const unsigned number = gridDim.x * blockIdx.y + blockIdx.x;
  const int tile_y = number % gridDim.y;
  const int tile_x = (tile_y + number / gridDim.y) % gridDim.x;

  const int column = tile_x * kTile + threadIdx.x;
  for (int j = threadIdx.y; j < kTile; j += kBlockRows) {
    const int row = tile_y * kTile + j;
    if (column < width && row < height) tile[j][threadIdx.x] = in[row * width + column];
  }
  __syncthreads();

  const int out_column = tile_y * kTile + threadIdx.x;
  for (int j = threadIdx.y; j < kTile; j += kBlockRows) {
    const int out_row = blockIdx.x * kTile + j;
    if (out_column < height && out_row < width) {
      out[out_row * height + out_column] = tile[threadIdx.x][j];
    }
  }
}
