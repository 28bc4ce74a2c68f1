// SPDX-License-Identifier: Apache-2.0
// Exercise coalescing/transpose: transpose a matrix with coalesced reads and coalesced writes.
//
// What the kernel gets: `in`, a matrix of `height` rows and `width` columns of floats, row-major:
//   the element in row r and column c is in[r * width + c].
// What it must produce: the transposed matrix in `out`, which has `width` rows and `height`
//   columns: out[c * height + r] is in[r * width + c]. It writes every element of `out`, leaves
//   `in` alone and touches nothing outside either matrix.
// How it is launched: blocks of 32 x 8 threads in a grid of ceil(width / 32) x ceil(height / 32),
//   so each block has a tile of 32 x 32 elements, four for each thread. Width and height can be
//   any numbers from 1 up and need not be equal; tiles at the edges may be partly empty.
// What it may use: anything of CUDA C++ that runs on the device; `__shared__` arrays of up to
//   48 KB a block, and `__syncthreads()`.
// Where to work: inside the kernel. Its name and its parameters stay as they are.
//
// The kernel below is right, and reads whole rows. Where do the 32 floats of one warp go? Predict
// the sectors (pieces of 32 bytes) that one store of a warp touches, then run
//   ./warpgrade grade coalescing/transpose

constexpr int kTile = 32;      // rows and columns of a tile
constexpr int kBlockRows = 8;  // blockDim.y: a thread visits every eighth row of its tile

__global__ void transpose(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows) {
    if (column < width && row + j < height) {
      out[column * height + row + j] = in[(row + j) * width + column];
    }
  }
}
