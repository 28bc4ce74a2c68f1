// SPDX-License-Identifier: Apache-2.0
// Exercise bank_conflicts/fine_grained, solved: each tile is transposed in place.
//
// A row of the transposed tile is a column of the original. Shared memory turns one into the other,
// so both global accesses follow rows. Only shared memory is read by columns, and its rows of 33
// words put the words of a column into 32 banks. A full transpose would also move the tile.

constexpr int kTile = 32;                         // rows and columns of a tile
constexpr int kBlockRows = 8;                     // blockDim.y
constexpr int kRowsAThread = kTile / kBlockRows;  // 4

__global__ void transpose_fine(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];

  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  float value[kRowsAThread];  // registers: every index is known once the loops are unrolled
#pragma unroll
  for (int k = 0; k < kRowsAThread; ++k) {
    const int r = row + k * kBlockRows;
    value[k] = in[r * width + column];
  }
#pragma unroll
  for (int k = 0; k < kRowsAThread; ++k) {
    const int y = threadIdx.y + k * kBlockRows;
    tile[y][threadIdx.x] = value[k];
  }

  __syncthreads();

  const int out_column = blockIdx.x * kTile + threadIdx.x;
  const int out_row = blockIdx.y * kTile + threadIdx.y;
#pragma unroll
  for (int k = 0; k < kRowsAThread; ++k) {
    const int y = threadIdx.y + k * kBlockRows;
    const int r = out_row + k * kBlockRows;
    out[r * width + out_column] = tile[threadIdx.x][y];
  }
}
