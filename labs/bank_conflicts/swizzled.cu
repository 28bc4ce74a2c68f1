// SPDX-License-Identifier: Apache-2.0
// Exercise bank_conflicts/swizzled: free the tile of bank conflicts without extra memory.
//
// Input: `in`, a matrix of `height` rows and `width` columns of floats, row-major:
//   the element in row r and column c is in[r * width + c].
// Output: the transposed matrix in `out`, which has `width` rows and `height`
//   columns: out[c * height + r] is in[r * width + c]. Write every element of `out`, leave `in`
//   unchanged, and access nothing outside either matrix.
// Launch: blocks of 32 x 8 threads in a grid of ceil(width / 32) x ceil(height / 32),
//   so each block has a tile of 32 x 32 elements, four per thread. Width and height can be
//   any numbers from 1 up and need not be equal.
// Allowed: exactly 4,096 bytes of `__shared__` memory per block, the size of the tile. All
//   elements must pass through shared memory, and no request may have a conflict, on an H200 and
//   on a K40.
// Edit: the body of the kernel. Keep its name and its parameters.
//
// The kernel below is right and coalesced on both sides, but it loads columns of the tile, and each
// column is in a single bank. A row of the tile has 32 places for 32 words, and the word of column
// c need not be in place c. Choose its place by row and column, so that neither a row nor a column
// has two words in one bank. Then run
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
