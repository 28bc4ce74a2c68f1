// SPDX-License-Identifier: Apache-2.0
// Exercise bank_conflicts/coarse_grained, solved: straight from one place to the other.
//
// Where tiles are only moved, rows stay rows: lanes go along a row of `in` and along a row of
// `out`, and both sides are coalesced as they are. Nothing is exchanged between threads, so neither
// shared memory nor a barrier is needed: what is left is a copy. On cards whose memory is cut into
// partitions by address, the order in which the tiles are written matters all the same: that is the
// next lab.

constexpr int kTile = 32;                         // rows and columns of a tile
constexpr int kBlockRows = 8;                     // blockDim.y
constexpr int kRowsAThread = kTile / kBlockRows;  // 4

__global__ void transpose_coarse(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  float value[kRowsAThread];  // registers: every index is known once the loops are unrolled
#pragma unroll
  for (int k = 0; k < kRowsAThread; ++k) {
    const int r = row + k * kBlockRows;
    value[k] = in[r * width + column];
  }

  const int out_column = blockIdx.y * kTile + threadIdx.x;
  const int out_row = blockIdx.x * kTile + threadIdx.y;
#pragma unroll
  for (int k = 0; k < kRowsAThread; ++k) {
    const int r = out_row + k * kBlockRows;
    out[r * height + out_column] = value[k];
  }
}
