// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=divisions
// cause: busy_pipe line=13
// Correct, but uses / and %.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void transpose(double* out, const double* in, int width, int height,
                          unsigned reciprocal_grid_x, unsigned reciprocal_grid_y) {
  __shared__ double tile[kTile][kTile + 1];

  const unsigned id = blockIdx.x + gridDim.x * blockIdx.y;
  const int tile_y = id % gridDim.y;
  const int tile_x = (id / gridDim.y + tile_y) % gridDim.x;
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
