// SPDX-License-Identifier: Apache-2.0
// cause: wrong_index|unwritten line=12
// says: The column of tiles must wrap around at gridDim.x; without the modulo most blocks are
//   right of the matrix.
// never: barrier
constexpr int kTile = 32;

__global__ void transpose(double* out, const double* in, int width, int height) {
  __shared__ double tile[kTile][kTile + 1];
  const unsigned id = blockIdx.x + gridDim.x * blockIdx.y;
  const int tile_y = id % gridDim.y, diagonal = id / gridDim.y;
  const int tile_x = diagonal + tile_y;
  const int column = tile_x * kTile + threadIdx.x, row = tile_y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += 8)
    if (column < width && row + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
  __syncthreads();
  const int out_column = tile_y * kTile + threadIdx.x, out_row = tile_x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += 8)
    if (out_column < height && out_row + j < width) out[(out_row + j) * height + out_column] = tile[threadIdx.x][threadIdx.y + j];
}
