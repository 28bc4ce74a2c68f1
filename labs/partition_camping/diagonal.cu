// SPDX-License-Identifier: Apache-2.0
// Exercise partition_camping/diagonal: assign the tiles to blocks along diagonals.
//
// Input: `in`, a matrix of `height` rows and `width` columns of floats, row-major:
//   the element in row r and column c is in[r * width + c]. `width` and `height` are equal and
//   multiples of 32.
// Output: the transposed matrix in `out`: out[c * height + r] is in[r * width + c].
//   Write every element of `out`, and leave `in` unchanged.
// Launch: blocks of 32 x 8 threads in a grid of ceil(width / 32) x ceil(height / 32), one
//   tile of 32 x 32 elements per block. Blocks start in the order of blockIdx.x + gridDim.x *
//   blockIdx.y.
// Allowed: all device code of CUDA C++.
// Edit: the body of the kernel. Keep its name and its parameters.
//
// The memory of a GTX 280 or a Tesla C1060 has 8 partitions: 256 bytes belong to the first, the
// next 256 to the second, and so on, cyclically. The kernel below is right, coalesced and free of
// bank conflicts. Blocks 0 to 63 run at the same time. In a matrix with rows of 2,048 floats,
// count the partitions that they write to. Then assign the tiles so that concurrent blocks
// use different partitions for reads and for writes. Then run
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
