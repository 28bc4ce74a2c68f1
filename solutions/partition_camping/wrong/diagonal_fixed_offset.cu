// SPDX-License-Identifier: Apache-2.0
// fails: performance gate=speed_c1060
// cause: partition_camping
// Shifts all rows of tiles by one tile, so consecutive blocks are as far apart as before and camp.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];

  const int tile_y = blockIdx.y;
  const int tile_x = (blockIdx.x + 1) % gridDim.x;
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
