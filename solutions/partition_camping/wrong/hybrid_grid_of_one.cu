// SPDX-License-Identifier: Apache-2.0
// fails: incorrect case=single_row
// Uses the reciprocal even for a divisor of 1, for which it is 0.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

// n / divisor by one multiplication; `reciprocal` is ceil(2^32 / divisor).
__device__ unsigned quotient(unsigned n, unsigned divisor, unsigned reciprocal) {
  return __umulhi(n, reciprocal);
}

__global__ void transpose(double* out, const double* in, int width, int height,
                          unsigned reciprocal_grid_x, unsigned reciprocal_grid_y) {
  __shared__ double tile[kTile][kTile + 1];

  const bool diagonal = width % 128 != 127 && height % 128 != 127;
  const unsigned id = blockIdx.x + gridDim.x * blockIdx.y;
  const unsigned number = quotient(id, gridDim.y, reciprocal_grid_y);
  const unsigned rest = id - number * gridDim.y;
  const unsigned place = number + rest;
  const unsigned wrapped = place - quotient(place, gridDim.x, reciprocal_grid_x) * gridDim.x;
  const int tile_y = diagonal ? rest : blockIdx.y;
  const int tile_x = diagonal ? wrapped : blockIdx.x;
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
