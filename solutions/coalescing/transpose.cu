// SPDX-License-Identifier: Apache-2.0
// Exercise coalescing/transpose, solved: transpose the tile in shared memory, not in global memory.
//
// A direct transpose from `in` to `out` follows rows on one side and columns on the other. Instead,
// a block loads its tile row by row. After the barrier it stores along rows of `out`, which are
// columns of the tile. Only shared memory is read by columns, and shared memory delivers single
// words, not sectors.
//
// Why it is fast:
// - Both global accesses of a warp cover 32 neighbouring floats: 4 sectors, all bytes used.
// - A thread issues its four loads before it stores the first value, so a warp waits for memory
//   once, not four times.
// - A row of the tile is 33 words long. With 32, all words of a column would share one of the 32
//   banks and be read one after the other; the extra word shifts each row by one bank.

constexpr int kTile = 32;                         // rows and columns of a tile
constexpr int kBlockRows = 8;                     // blockDim.y
constexpr int kRowsAThread = kTile / kBlockRows;  // 4

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];

  const int in_column = blockIdx.x * kTile + threadIdx.x;
  const int in_row = blockIdx.y * kTile + threadIdx.y;
  float value[kRowsAThread];  // registers: every index is known once the loops are unrolled
#pragma unroll
  for (int k = 0; k < kRowsAThread; ++k) {
    const int row = in_row + k * kBlockRows;
    if (in_column < width && row < height) value[k] = in[row * width + in_column];
  }
#pragma unroll
  for (int k = 0; k < kRowsAThread; ++k) {
    const int row = in_row + k * kBlockRows;
    if (in_column < width && row < height) {
      tile[threadIdx.y + k * kBlockRows][threadIdx.x] = value[k];
    }
  }

  __syncthreads();  // from here on, threads read words that other threads wrote

  // In `out`, the tile is at the mirrored position: block row and block column swap, and so do the
  // limits. Lanes still follow a row.
  const int out_column = blockIdx.y * kTile + threadIdx.x;
  const int out_row = blockIdx.x * kTile + threadIdx.y;
#pragma unroll
  for (int k = 0; k < kRowsAThread; ++k) {
    const int row = out_row + k * kBlockRows;
    if (out_column < height && row < width) {
      out[row * height + out_column] = tile[threadIdx.x][threadIdx.y + k * kBlockRows];
    }
  }
}
