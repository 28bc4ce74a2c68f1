// SPDX-License-Identifier: Apache-2.0
// Exercise bank_conflicts/fine_grained: transpose each tile in place.
//
// Input: `in`, a square matrix of floats, row-major; `width` and `height` are equal
//   and multiples of 32. Cut it into tiles of 32 x 32.
// Output: `out`. Each of its tiles is the transposed tile of `in` at the same place:
//   the element in row r and column c of a tile comes from row c and column r of that tile of `in`.
//   Write every element of `out`, and leave `in` unchanged.
// Launch: blocks of 32 x 8 threads in a grid of (width / 32) x (height / 32), one
//   tile per block, four elements per thread.
// Allowed: all device code of CUDA C++. Both sides must be coalesced, and
//   any accesses to shared memory must have no bank conflicts, on an H200 and on a K40.
// Edit: the body of the kernel. Keep its name and its parameters.
//
// A transpose does two things: it transposes each tile, and it moves the tile across the diagonal.
// This exercise shows the cost of the first. The kernel below does neither: it copies through
// shared memory. Make it transpose the tiles, then run
//   ./warpgrade grade bank_conflicts/fine_grained

constexpr int kTile = 32;      // rows and columns of a tile
constexpr int kBlockRows = 8;  // blockDim.y: a thread visits every eighth row of its tile

__global__ void transpose_fine(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile];

  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows) {
    tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
  }
  __syncthreads();
  for (int j = 0; j < kTile; j += kBlockRows) {
    out[(row + j) * width + column] = tile[threadIdx.y + j][threadIdx.x];
  }
}
