// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=instructions
// cause: issue_bound
// Divides by repeated subtraction: no division instruction, but a loop whose length grows with the
// grid.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void transpose(double* out, const double* in, int width, int height,
                          unsigned reciprocal_grid_x, unsigned reciprocal_grid_y) {
  __shared__ double tile[kTile][kTile + 1];

  const unsigned id = blockIdx.x + gridDim.x * blockIdx.y;
  unsigned diagonal = 0;
  unsigned rest = id;
  while (rest >= gridDim.y) {
    rest -= gridDim.y;
    ++diagonal;
  }
  const int tile_y = rest;
  unsigned place = diagonal + rest;
  while (place >= gridDim.x) place -= gridDim.x;
  const int tile_x = place;
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
