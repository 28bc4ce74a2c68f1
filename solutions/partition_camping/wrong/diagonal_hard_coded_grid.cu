// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic out_of_bounds
// cause: wrong_index line=12
// Wraps around after 64 tiles, the width of the timed grid.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];

  const int tile_y = blockIdx.x;
  const int tile_x = (blockIdx.x + blockIdx.y) % 64;
  const int column = tile_x * kTile + threadIdx.x;
  const int row = tile_y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows) {
    tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
  }
  __syncthreads();
  const int out_column = tile_y * kTile + threadIdx.x;
  const int out_row = tile_x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows) {
    out[(out_row + j) * height + out_column] = tile[threadIdx.x][threadIdx.y + j];
  }
}
