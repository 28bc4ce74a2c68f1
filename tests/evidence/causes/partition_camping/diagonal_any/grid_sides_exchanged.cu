// SPDX-License-Identifier: Apache-2.0
// cause: swapped_indices|wrong_index line=11
// says: The row of tiles is id modulo gridDim.y and the column modulo gridDim.x; here x and y
//   are exchanged, so in a grid that is no square some tiles are never done.
// never: barrier
constexpr int kTile = 32;

__global__ void transpose(double* out, const double* in, int width, int height) {
  __shared__ double tile[kTile][kTile + 1];
  const unsigned id = blockIdx.x + gridDim.x * blockIdx.y;
  const int tile_y = id % gridDim.x;
  const int tile_x = (id / gridDim.x + tile_y) % gridDim.y;
  const int column = tile_x * kTile + threadIdx.x, row = tile_y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += 8)
    if (column < width && row + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
  __syncthreads();
  const int out_column = tile_y * kTile + threadIdx.x, out_row = tile_x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += 8)
    if (out_column < height && out_row + j < width) out[(out_row + j) * height + out_column] = tile[threadIdx.x][threadIdx.y + j];
}
