// SPDX-License-Identifier: Apache-2.0
// Exercise bank_conflicts/swizzled, solved: column c of row r is stored in place c ^ r.
//
// For a fixed r, c ^ r runs through all 32 places when c does, so a row uses 32 banks. For a fixed c,
// c ^ r runs through all 32 places when r does, so a column does too. Each row is a permutation of its
// own. The same xor undoes it when the word is read, and no byte is wasted.
//
// A rotation, (c + r) mod 32, works equally well; the xor needs no modulo.

constexpr int kTile = 32;                         // rows and columns of a tile
constexpr int kBlockRows = 8;                     // blockDim.y
constexpr int kRowsAThread = kTile / kBlockRows;  // 4

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile];

  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  float value[kRowsAThread] = {};  // in registers; 0 outside the matrix, which nobody stores
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
