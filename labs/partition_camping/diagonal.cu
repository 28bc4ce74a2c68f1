// SPDX-License-Identifier: Apache-2.0
// Exercise partition_camping/diagonal: hand out the tiles along diagonals.
//
// What the kernel gets: `in`, a matrix of `height` rows and `width` columns of floats, row-major:
//   the element in row r and column c is in[r * width + c]. `width` and `height` are equal and
//   multiples of 32.
// What it must produce: the transposed matrix in `out`: out[c * height + r] is in[r * width + c].
//   Every element of `out` is written, and `in` is left alone.
// How it is launched: blocks of 32 x 8 threads in a grid of ceil(width / 32) x ceil(height / 32), a
//   tile of 32 x 32 elements each. Blocks start in the order of blockIdx.x + gridDim.x *
//   blockIdx.y.
// What it may use: anything of CUDA C++ that runs on the device.
// Where to work: inside the kernel. Its name and its parameters stay as they are.
//
// The memory of a GTX 280 or a Tesla C1060 is cut into 8 partitions: 256 bytes belong to the first,
// the next 256 to the second, and after the eighth it begins again. The kernel below is right,
// coalesced and free of bank conflicts. Take a matrix of 2048 floats a row: in how many partitions
// do the tiles lie that the blocks 0 to 63 write, which run at the same time? Give each block
// another tile, so that blocks that run together go to different partitions on both sides. Then run
//   ./warpgrade grade partition_camping/diagonal

constexpr int kTile = 32;      // rows and columns of a tile
constexpr int kBlockRows = 8;  // blockDim.y

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];

  const int tile_x = blockIdx.x;
  const int tile_y = blockIdx.y;
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
