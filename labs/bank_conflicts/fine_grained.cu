// SPDX-License-Identifier: Apache-2.0
// Exercise bank_conflicts/fine_grained: turn the elements inside each tile, and only there.
//
// What the kernel gets: `in`, a square matrix of floats, row-major; `width` and `height` are equal
//   and multiples of 32. Cut it into tiles of 32 x 32.
// What it must produce: `out`, where each tile is the transposed tile of `in` at the same place:
//   the element in row r and column c of a tile comes from row c and column r of that tile of `in`.
//   Every element of `out` is written, and `in` is left alone.
// How it is launched: blocks of 32 x 8 threads in a grid of (width / 32) x (height / 32), a tile
//   each, four elements for each thread.
// What it may use: anything of CUDA C++ that runs on the device. Both sides must be coalesced, and
//   accesses to shared memory, if there are any, free of bank conflicts, on an H200 and on a K40.
// Where to work: inside the kernel. Its name and its parameters stay as they are.
//
// A transpose does two things: it turns each tile, and it moves the tile to its mirror image. This
// half alone shows what turning costs. The kernel below does neither: it copies, through shared
// memory. Make it turn the tiles, then run
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
