// SPDX-License-Identifier: Apache-2.0
// Exercise bank_conflicts/coarse_grained, solved: a direct copy of each tile to its new place.
//
// Tiles move, but their rows stay rows. So the lanes follow a row of `in` and a row of `out`, and
// both accesses are coalesced without further work. Threads exchange no data, so the kernel needs
// neither shared memory nor a barrier: it is a copy.
// On cards that divide their memory into partitions by address, the order of the writes still
// matters, as the next lab shows.

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
