// SPDX-License-Identifier: Apache-2.0
// Exercise partition_camping/diagonal, solved: block (x, y) transposes the tile in row x and column
// (x + y) mod gridDim.x.
//
// In Cartesian order, blocks that run together write tiles one below another. With rows of 2,048
// floats, 32 rows are a multiple of 8 * 256 bytes. So all blocks write to one of the 8 partitions,
// and the other seven idle. Along a diagonal, each block also moves one tile to the right, on both
// sides: 128 bytes, half a partition. Then 16 consecutive blocks keep all eight partitions busy.
//
// Only the order changes: the grid is square, so every tile is transposed exactly once.

constexpr int kTile = 32;                         // rows and columns of a tile
constexpr int kBlockRows = 8;                     // blockDim.y
constexpr int kRowsAThread = kTile / kBlockRows;  // 4

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];  // padding avoids bank conflicts in columns

  const int tile_y = blockIdx.x;
  const int tile_x = (blockIdx.x + blockIdx.y) % gridDim.x;

  const int column = tile_x * kTile + threadIdx.x;
  const int row = tile_y * kTile + threadIdx.y;
  float value[kRowsAThread] = {};  // in registers: four loads are in flight at once
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
