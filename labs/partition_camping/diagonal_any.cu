// SPDX-License-Identifier: Apache-2.0
// Exercise partition_camping/diagonal_any: a diagonal order for any width and height.
//
// What the kernel gets: `in`, a matrix of `height` rows and `width` columns of doubles, row-major:
//   the element in row r and column c is in[r * width + c]. Width and height can be
//   any numbers from 1 up and need not be equal.
// What it must produce: the transposed matrix in `out`: out[c * height + r] is in[r * width + c].
//   Every element of `out` is written, and `in` is left alone.
// How it is launched: blocks of 32 x 8 threads in a grid of ceil(width / 32) x ceil(height / 32), a
//   tile of 32 x 32 elements each. Blocks start in the order of blockIdx.x + gridDim.x *
//   blockIdx.y.
// What it may use: anything of CUDA C++ that runs on the device.
// Where to work: inside the kernel. Its name and its parameters stay as they are.
//
// The kernel below is right for every size, and camps where a row is a multiple of 2048 bytes long.
// The order of exercise `diagonal` gives every tile to one block only where the grid is square.
// Find one for any grid: number the blocks in the order in which they start, walk down a diagonal
// with them, and start the next diagonal where the first has reached the bottom. Then run
//   ./warpgrade grade partition_camping/diagonal_any

constexpr int kTile = 32;      // rows and columns of a tile
constexpr int kBlockRows = 8;  // blockDim.y

__global__ void transpose(double* out, const double* in, int width, int height) {
  __shared__ double tile[kTile][kTile + 1];

  const int tile_x = blockIdx.x;
  const int tile_y = blockIdx.y;
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
