// SPDX-License-Identifier: Apache-2.0
// Exercise bank_conflicts/swizzled: free the tile of bank conflicts without a byte more.
//
// What the kernel gets: `in`, a matrix of `height` rows and `width` columns of floats, row-major:
//   the element in row r and column c is in[r * width + c].
// What it must produce: the transposed matrix in `out`, which has `width` rows and `height`
//   columns: out[c * height + r] is in[r * width + c]. It writes every element of `out`, leaves
//   `in` alone and touches nothing outside either matrix.
// How it is launched: blocks of 32 x 8 threads in a grid of ceil(width / 32) x ceil(height / 32),
//   so each block has a tile of 32 x 32 elements, four for each thread. Width and height can be
//   any numbers from 1 up and need not be equal.
// What it may use: exactly 4096 bytes of `__shared__` a block, which is the tile and nothing more.
//   The tile must go through shared memory whole, and no request may have a conflict, on an H200
//   and on a K40.
// Where to work: inside the kernel. Its name and its parameters stay as they are.
//
// The kernel below is right, coalesced on both sides, and takes columns out of the tile that lie in
// one bank each. A row of the tile has 32 places for 32 words. Nobody says that the word of column
// c must lie in place c. Find another place for it, one for each row, so that neither a row nor a
// column has two words in one bank. Then run
//   ./warpgrade grade bank_conflicts/swizzled

constexpr int kTile = 32;      // rows and columns of a tile
constexpr int kBlockRows = 8;  // blockDim.y: a thread visits every eighth row of its tile

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile];

  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows) {
    if (column < width && row + j < height) {
      tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
    }
  }
  __syncthreads();
  const int out_column = blockIdx.y * kTile + threadIdx.x;
  const int out_row = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows) {
    if (out_column < height && out_row + j < width) {
      out[(out_row + j) * height + out_column] = tile[threadIdx.x][threadIdx.y + j];
    }
  }
}
