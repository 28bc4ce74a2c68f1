// SPDX-License-Identifier: Apache-2.0
// cause: wrong_index|unwritten line=12
// says: At the right edge the column wraps by gridDim.x - 1 instead of gridDim.x, so it goes on
//   with 1: tiles are done twice and others never.
// never: barrier
constexpr int kTile = 32;

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];
  const int tile_y = blockIdx.x;
  int tile_x = blockIdx.x + blockIdx.y;
  if (tile_x >= gridDim.x) tile_x -= gridDim.x - 1;
  const int column = tile_x * kTile + threadIdx.x, row = tile_y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
  __syncthreads();
  const int out_column = tile_y * kTile + threadIdx.x, out_row = tile_x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += 8) out[(out_row + j) * height + out_column] = tile[threadIdx.x][threadIdx.y + j];
}
