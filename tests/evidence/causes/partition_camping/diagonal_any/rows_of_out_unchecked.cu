// SPDX-License-Identifier: Apache-2.0
// cause: missing_guard|out_of_bounds line=18
// says: The store tests the column of out only: rows of out past width are written. Add out_row
//   + j < width.
constexpr int kTile = 32;

__global__ void transpose(double* out, const double* in, int width, int height) {
  __shared__ double tile[kTile][kTile + 1];
  const unsigned id = blockIdx.x + gridDim.x * blockIdx.y;
  const int tile_y = id % gridDim.y;
  const int tile_x = (id / gridDim.y + tile_y) % gridDim.x;
  const int column = tile_x * kTile + threadIdx.x, row = tile_y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += 8)
    tile[threadIdx.y + j][threadIdx.x] = column < width && row + j < height ? in[(row + j) * width + column] : 0.0;
  __syncthreads();
  const int out_column = tile_y * kTile + threadIdx.x, out_row = tile_x * kTile + threadIdx.y;
  if (out_column >= height) return;
  for (int j = 0; j < kTile; j += 8) out[(out_row + j) * height + out_column] = tile[threadIdx.x][threadIdx.y + j];
}
