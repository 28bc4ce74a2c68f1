// SPDX-License-Identifier: Apache-2.0
// Exercise bank_conflicts/padded, solved: rows of 33 words.
//
// Warps write the tile by rows and read it by columns. With rows of 32 words, the words of a column
// are 32 apart: they share one bank and need 32 wavefronts on an H200. A K40 needs only 16, because
// its banks serve 8 bytes per clock, one word from each of two neighbouring rows. With rows of 33
// words, neighbours in a column are 33 apart, one bank further: 32 words in 32 banks, one
// wavefront. Rows stay free of conflicts.
//
// The price is 128 unused bytes per block. The padding must extend each row: an extra row at the
// end of the tile would shift nothing.

constexpr int kTile = 32;                         // rows and columns of a tile
constexpr int kBlockRows = 8;                     // blockDim.y
constexpr int kRowsAThread = kTile / kBlockRows;  // 4

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];

  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  float value[kRowsAThread] = {};  // in registers; zeros outside the matrix, never stored to `out`
#pragma unroll
  for (int k = 0; k < kRowsAThread; ++k) {
    const int r = row + k * kBlockRows;
    if (column < width && r < height) value[k] = in[r * width + column];
  }
#pragma unroll
  for (int k = 0; k < kRowsAThread; ++k) {
    const int y = threadIdx.y + k * kBlockRows;
    tile[y][threadIdx.x] = value[k];
  }

  __syncthreads();

  const int out_column = blockIdx.y * kTile + threadIdx.x;
  const int out_row = blockIdx.x * kTile + threadIdx.y;
#pragma unroll
  for (int k = 0; k < kRowsAThread; ++k) {
    const int y = threadIdx.y + k * kBlockRows;
    const int r = out_row + k * kBlockRows;
    if (out_column < height && r < width) out[r * height + out_column] = tile[threadIdx.x][y];
  }
}
