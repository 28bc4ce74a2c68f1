// SPDX-License-Identifier: Apache-2.0
// Exercise coarsening/transpose_coarsened: coarsen a kernel that does not profit from it.
//
// Input: `in`, a matrix of `height` rows and `width` columns of floats, row-major:
//   the element in row r and column c is in[r * width + c].
// Output: the transposed matrix in `out`: out[c * height + r] is in[r * width + c].
//   Write every element of `out`, and leave `in` unchanged.
// Launch: blocks of 32 x 8 threads in a grid of ceil(width / (32 * Factor)) x
//   ceil(height / 32): a block has Factor tiles of 32 x 32, side by side in a row of tiles. Factor
//   is 1, 2, 4, 8 or 16. Width and height can be any numbers from 1 up.
// Allowed: all device code of CUDA C++.
// Edit: the body of the kernel. Keep its name and its parameters.
//
// The kernel below is right if Factor is 1. Make each block transpose its Factor tiles, and keep
// both sides coalesced. The speed for each factor is reported but not graded. Predict first: which
// factor is the fastest, and which work could a thread share with its neighbour? Then run
//   ./warpgrade grade coarsening/transpose_coarsened

constexpr int kTile = 32;      // rows and columns of a tile
constexpr int kBlockRows = 8;  // blockDim.y

template <int Factor>
__global__ void transpose_coarsened(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];

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
