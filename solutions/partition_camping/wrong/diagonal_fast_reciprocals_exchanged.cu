// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic out_of_bounds
// cause: swapped_indices
// Swaps the two reciprocals: each division uses the reciprocal of the other grid dimension.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

// n / divisor by one multiplication. `reciprocal` is ceil(2^32 / divisor), which does not fit in 32
// bits if divisor is 1.
__device__ unsigned quotient(unsigned n, unsigned divisor, unsigned reciprocal) {
  return divisor == 1 ? n : __umulhi(n, reciprocal);
}

__global__ void transpose(double* out, const double* in, int width, int height,
                          unsigned reciprocal_grid_x, unsigned reciprocal_grid_y) {
  __shared__ double tile[kTile][kTile + 1];

  const unsigned id = blockIdx.x + gridDim.x * blockIdx.y;
  const unsigned diagonal = quotient(id, gridDim.y, reciprocal_grid_x);
  const int tile_y = id - diagonal * gridDim.y;
  const unsigned place = diagonal + tile_y;
  const int tile_x = place - quotient(place, gridDim.x, reciprocal_grid_y) * gridDim.x;
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
