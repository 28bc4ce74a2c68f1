// SPDX-License-Identifier: Apache-2.0
// fails: incorrect case=wide
// cause: swapped_indices
// Uses the order of exercise `diagonal`: unless the grid is square, some tiles are transposed twice
// and others never.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void transpose(double* out, const double* in, int width, int height) {
  __shared__ double tile[kTile][kTile + 1];

  const int tile_y = blockIdx.x;
  const int tile_x = (blockIdx.x + blockIdx.y) % gridDim.x;
  const int column = tile_x * kTile + threadIdx.x;
  const int row = tile_y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows) {
    if (column < width && row + j < height) {
      tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
    }
  }
  __syncthreads();
  const int out_column = tile_y * kTile + threadIdx.x;
  const int out_row = tile_x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows) {
    if (out_column < height && out_row + j < width) {
      out[(out_row + j) * height + out_column] = tile[threadIdx.x][threadIdx.y + j];
    }
  }
}
