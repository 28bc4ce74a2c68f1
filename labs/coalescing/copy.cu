// SPDX-License-Identifier: Apache-2.0
// Exercise coalescing/copy: copy a matrix so that the lanes of a warp touch neighbours in memory.
//
// Input: `in`, a matrix of `height` rows and `width` columns of floats, row-major:
//   the element in row r and column c is in[r * width + c].
// Output: the same matrix in `out`. Write every element of `out`, leave `in` unchanged, and
//   access nothing outside either matrix.
// Launch: blocks of 32 x 8 threads in a grid of ceil(width / 32) x ceil(height / 32),
//   so each block copies a tile of 32 x 32 elements, four per thread. Width and height can be
//   any numbers from 1 up: the tiles at the right and lower edge may be partly empty.
// Allowed: all device code of CUDA C++.
// Edit: the body of the kernel. Keep its name and its parameters.
//
// The kernel below copies correctly but slowly. A warp is 32 threads with consecutive threadIdx.x
// and the same threadIdx.y. Before you change a line, write down the 32 indices that one warp reads
// in the first iteration of the loop, and count the 32-byte sectors that they touch. Then run
//   ./warpgrade grade coalescing/copy
// and compare its count of sectors with your prediction.

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
