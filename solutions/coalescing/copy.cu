// SPDX-License-Identifier: Apache-2.0
// Exercise coalescing/copy, solved: threadIdx.x selects the column, so the lanes of a warp follow a
// row.
//
// Why it is fast:
// - The 32 lanes of a warp read 32 neighbouring floats: 128 bytes in 4 sectors of 32, and every
//   byte that moves is used. Walking down a column, the same request moves 32 sectors for the same
//   128 bytes.
// - A thread issues its four loads before the first store. In a single load-store loop, the
//   compiler must keep each store before the next load, because `out` might overlap `in`. A warp
//   would then wait for memory four times instead of once.

constexpr int kTile = 32;                         // rows and columns of a tile
constexpr int kBlockRows = 8;                     // blockDim.y
constexpr int kRowsAThread = kTile / kBlockRows;  // 4

__global__ void copy(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * kTile + threadIdx.x;
  const int first_row = blockIdx.y * kTile + threadIdx.y;

  float value[kRowsAThread];  // in registers: every index is known once the loops are unrolled
#pragma unroll
  for (int k = 0; k < kRowsAThread; ++k) {
    const int row = first_row + k * kBlockRows;
    if (column < width && row < height) value[k] = in[row * width + column];
  }
#pragma unroll
  for (int k = 0; k < kRowsAThread; ++k) {
    const int row = first_row + k * kBlockRows;
    if (column < width && row < height) out[row * width + column] = value[k];
  }
}
