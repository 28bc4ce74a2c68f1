// SPDX-License-Identifier: Apache-2.0
// Exercise bank_conflicts/coarse_grained: move the tiles, and leave each as it is.
//
// What the kernel gets: `in`, a square matrix of floats, row-major; `width` and `height` are equal
//   and multiples of 32. Cut it into tiles of 32 x 32.
// What it must produce: `out`, where the tile in tile row R and tile column C is the one of `in` in
//   tile row C and tile column R, its elements in the same order.
//   Every element of `out` is written, and `in` is left alone.
// How it is launched: blocks of 32 x 8 threads in a grid of (width / 32) x (height / 32), a tile
//   each, four elements for each thread.
// What it may use: anything of CUDA C++ that runs on the device. Both sides must be coalesced, and
//   accesses to shared memory, if there are any, free of bank conflicts, on an H200 and on a K40.
// Where to work: inside the kernel. Its name and its parameters stay as they are.
//
// A transpose does two things: it turns each tile, and it moves the tile to its mirror image. This
// half alone shows what moving costs. The kernel below does neither: it copies, through shared
// memory. Make it move the tiles, and ask yourself what the shared memory is still for. Then run
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
