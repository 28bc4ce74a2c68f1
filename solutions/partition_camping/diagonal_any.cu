// SPDX-License-Identifier: Apache-2.0
// Exercise partition_camping/diagonal_any, solved: number the blocks and place them along diagonals
// of any grid.
//
// Block number id goes to row id mod gridDim.y, on diagonal id / gridDim.y. Its column is the row
// plus the diagonal, modulo gridDim.x: successive diagonals start at successive tiles of the first
// row and wrap around at the right edge. Each row meets each diagonal once, so every tile is
// transposed once. On a square grid this is the order of exercise `diagonal`.

constexpr int kTile = 32;                         // rows and columns of a tile
constexpr int kBlockRows = 8;                     // blockDim.y
constexpr int kRowsAThread = kTile / kBlockRows;  // 4

__global__ void transpose(double* out, const double* in, int width, int height) {
  __shared__ double tile[kTile][kTile + 1];  // padding avoids bank conflicts in columns

  const unsigned id = blockIdx.x + gridDim.x * blockIdx.y;
  const int tile_y = id % gridDim.y;
  const int tile_x = (id / gridDim.y + tile_y) % gridDim.x;

  const int column = tile_x * kTile + threadIdx.x;
  const int row = tile_y * kTile + threadIdx.y;
  double value[kRowsAThread] = {};  // in registers: four loads are in flight at once
#pragma unroll
  for (int k = 0; k < kRowsAThread; ++k) {
    const int r = row + k * kBlockRows;
    if (column < width && r < height) value[k] = in[r * width + column];
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
    if (out_column < height && r < width) out[r * height + out_column] = tile[threadIdx.x][y];
  }
}
