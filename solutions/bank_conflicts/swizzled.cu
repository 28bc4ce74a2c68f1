// SPDX-License-Identifier: Apache-2.0
// Exercise bank_conflicts/swizzled, solved: column c of row r is stored at position c ^ r.
//
// For a fixed r, c ^ r takes each value from 0 to 31 once, so a row uses 32 banks. The same holds
// for a fixed c, so a column uses 32 banks, too. Each row is permuted in its own way. The load
// applies the same xor, and no byte is wasted.
//
// A rotation, (c + r) mod 32, works equally well; the xor needs no modulo.

constexpr int kTile = 32;                         // rows and columns of a tile
constexpr int kBlockRows = 8;                     // blockDim.y
constexpr int kRowsAThread = kTile / kBlockRows;  // 4

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile];

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
    tile[y][threadIdx.x ^ y] = value[k];
  }

  __syncthreads();

  const int out_column = blockIdx.y * kTile + threadIdx.x;
  const int out_row = blockIdx.x * kTile + threadIdx.y;
#pragma unroll
  for (int k = 0; k < kRowsAThread; ++k) {
    const int y = threadIdx.y + k * kBlockRows;
    const int r = out_row + k * kBlockRows;
    if (out_column < height && r < width) {
      out[r * height + out_column] = tile[threadIdx.x][y ^ threadIdx.x];
    }
  }
}
