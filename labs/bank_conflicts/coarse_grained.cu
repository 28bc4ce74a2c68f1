// SPDX-License-Identifier: Apache-2.0
// Exercise bank_conflicts/coarse_grained: move the tiles without transposing them.
//
// Input: `in`, a square matrix of floats, row-major; `width` and `height` are equal
//   and multiples of 32. Cut it into tiles of 32 x 32.
// Output: `out`. Its tile in tile row R and tile column C is the tile of `in` in tile row C and
//   tile column R, with its elements in the same order.
//   Write every element of `out`, and leave `in` unchanged.
// Launch: blocks of 32 x 8 threads in a grid of (width / 32) x (height / 32), one
//   tile per block, four elements per thread.
// Allowed: all device code of CUDA C++. Both sides must be coalesced, and
//   any accesses to shared memory must have no bank conflicts, on an H200 and on a K40.
// Edit: the body of the kernel. Keep its name and its parameters.
//
// A transpose does two things: it transposes each tile, and it moves the tile across the diagonal.
// This exercise shows the cost of moving. The kernel below does neither: it copies through shared
// memory. Make it move the tiles, and decide whether shared memory is still useful. Then run
//   ./warpgrade grade bank_conflicts/coarse_grained

constexpr int kTile = 32;      // rows and columns of a tile
constexpr int kBlockRows = 8;  // blockDim.y: a thread visits every eighth row of its tile

__global__ void transpose_coarse(float* out, const float* in, int width, int height) {
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
