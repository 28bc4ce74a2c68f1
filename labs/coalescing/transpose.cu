// SPDX-License-Identifier: Apache-2.0
// Exercise coalescing/transpose: transpose a matrix with coalesced reads and coalesced writes.
//
// Input: `in`, a matrix of `height` rows and `width` columns of floats, row-major:
//   the element in row r and column c is in[r * width + c].
// Output: the transposed matrix in `out`, which has `width` rows and `height`
//   columns: out[c * height + r] is in[r * width + c]. Write every element of `out`, leave `in`
//   unchanged, and access nothing outside either matrix.
// Launch: blocks of 32 x 8 threads in a grid of ceil(width / 32) x ceil(height / 32),
//   so each block has a tile of 32 x 32 elements, four per thread. Width and height can be
//   any numbers from 1 up and need not be equal; tiles at the edges may be partly empty.
// Allowed: all device code of CUDA C++; `__shared__` arrays of up to
//   48 KB per block, and `__syncthreads()`.
// Edit: the body of the kernel. Keep its name and its parameters.
//
// The kernel below is right, and reads whole rows. Find the addresses to which one warp stores its
// 32 floats. Predict the number of sectors (pieces of 32 bytes) that one store touches, then run
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
