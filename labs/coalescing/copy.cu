// SPDX-License-Identifier: Apache-2.0
// Exercise coalescing/copy: copy a matrix so that the lanes of a warp touch neighbours in memory.
//
// What the kernel gets: `in`, a matrix of `height` rows and `width` columns of floats, row-major:
//   the element in row r and column c is in[r * width + c].
// What it must produce: the same matrix in `out`, every element of it. It leaves `in` alone and
//   touches nothing outside either matrix.
// How it is launched: blocks of 32 x 8 threads in a grid of ceil(width / 32) x ceil(height / 32),
//   so each block has a tile of 32 x 32 elements, four for each thread. Width and height can be
//   any numbers from 1 up: the tiles at the right and lower edge may be partly empty.
// What it may use: anything of CUDA C++ that runs on the device.
// Where to work: inside the kernel. Its name and its parameters stay as they are.
//
// The kernel below copies correctly and slowly. A warp is the 32 threads with consecutive
// threadIdx.x and one threadIdx.y. Before you change a line, write down the 32 indices that one
// warp reads in the first pass of the loop, and how many pieces of 32 bytes they lie in. Then run
//   ./warpgrade grade coalescing/copy
// and see whether the sectors that it counts are those that you predicted.

constexpr int kTile = 32;      // rows and columns of a tile
constexpr int kBlockRows = 8;  // blockDim.y: a thread visits every eighth line of its tile

__global__ void copy(float* out, const float* in, int width, int height) {
  const int row = blockIdx.y * kTile + threadIdx.x;
  const int column = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows) {
    if (row < height && column + j < width) {
      out[row * width + column + j] = in[row * width + column + j];
    }
  }
}
