// SPDX-License-Identifier: Apache-2.0
// Exercise partition_camping/diagonal, solved: block (x, y) takes the tile in column (x + y) mod g
// and row x.
//
// In the Cartesian order the blocks that run together write tiles one below the other: 32 rows of
// 2048 floats apart, which is a multiple of 8 * 256 bytes, so that all go to one partition of 8 and
// the other seven idle. Along a diagonal each block is one tile further to the right as well, on
// both sides: 128 bytes, half a partition. Sixteen blocks in a row then keep all eight busy.
//
// Only the order changes: every tile is done once, for x and y run over a square grid.

constexpr int kTile = 32;                         // rows and columns of a tile
constexpr int kBlockRows = 8;                     // blockDim.y
constexpr int kRowsAThread = kTile / kBlockRows;  // 4

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];  // one extra word per row puts columns into different banks

  const int tile_y = blockIdx.x;
  const int tile_x = (blockIdx.x + blockIdx.y) % gridDim.x;

  const int column = tile_x * kTile + threadIdx.x;
  const int row = tile_y * kTile + threadIdx.y;
  float value[kRowsAThread] = {};  // in registers: four loads are on their way together
#pragma unroll
  for (int k = 0; k < kRowsAThread; ++k) {
    const int r = row + k * kBlockRows;
    value[k] = in[r * width + column];
  }
#pragma unroll
  for (int k = 0; k < kRowsAThread; ++k) tile[threadIdx.y + k * kBlockRows][threadIdx.x] = value[k];
  __syncthreads();

  const int out_column = tile_y * kTile + threadIdx.x;
  const int out_row = tile_x * kTile + threadIdx.y;
#pragma unroll
  for (int k = 0; k < kRowsAThread; ++k) {
    const int y = threadIdx.y + k * kBlockRows;
    const int r = out_row + k * kBlockRows;
    out[r * height + out_column] = tile[threadIdx.x][y];
  }
}
