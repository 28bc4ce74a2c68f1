// SPDX-License-Identifier: Apache-2.0
// cause: swapped_indices line=23
// says: The tile in row tile_y and column tile_x belongs to row tile_x and column tile_y of `out`: the indices of the tile are not exchanged for the store.
constexpr int kTile = 32;
constexpr int kRows = 8;

__global__ void transpose(double* out, const double* in, int width, int height) {
  __shared__ double tile[kTile][kTile + 1];

  unsigned bid = blockIdx.y * gridDim.x + blockIdx.x;
  int tile_y = bid % gridDim.y;
  int tile_x = (bid / gridDim.y + tile_y) % gridDim.x;

  int col = tile_x * kTile + threadIdx.x;
  int row = tile_y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) {
    if (col < width && row + j < height) {
      tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + col];
    }
  }
  __syncthreads();

  int ocol = tile_x * kTile + threadIdx.x;
  int orow = tile_y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) {
    if (ocol < height && orow + j < width) {
      out[(orow + j) * height + ocol] = tile[threadIdx.x][threadIdx.y + j];
    }
  }
}
