// SPDX-License-Identifier: Apache-2.0
// A filter of 15 x 15 weights over a picture of 4096 x 4096 floats. A block keeps its part of the
// picture in shared memory; a thread computes a tile whose elements are a block apart.

constexpr int kSide = 4096;
constexpr int kTaps = 15;
constexpr int kBorder = kTaps / 2 * 2;
constexpr int kPitch = kSide + kBorder;

__constant__ float weights[33 * 33];

template <int BlockX, int BlockY, int TileX, int TileY, bool Padded, bool ReadOnly>
__global__ void filter(float* out, const float* in) {
  constexpr int kRows = BlockY * TileY + kBorder;
  constexpr int kColumns = BlockX * TileX + kBorder;
  constexpr bool kPads = Padded && BlockX % 32 != 0 && (kColumns - BlockX) % 32 != 0;
  constexpr int kWidth = kColumns + (kPads ? (32 - (kColumns - BlockX)) & 31 : 0);
  constexpr bool kFits = kSide % (BlockY * TileY) == 0 && kSide % (BlockX * TileX) == 0;
  __shared__ float part[kRows][kWidth];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int bx = blockIdx.x * BlockX * TileX;
  const int by = blockIdx.y * BlockY * TileY;
#pragma unroll
  for (int i = ty; i < kRows; i += BlockY) {
#pragma unroll
    for (int j = tx; j < kColumns; j += BlockX) {
      if (kFits || (by + i < kPitch && bx + j < kPitch)) {
        const float* from = in + (by + i) * kPitch + bx + j;
        part[i][j] = ReadOnly ? __ldg(from) : *from;
      }
    }
  }
  __syncthreads();
  float sums[TileY][TileX] = {};
#pragma unroll
  for (int i = 0; i < kTaps; ++i) {
#pragma unroll
    for (int j = 0; j < kTaps; ++j) {
#pragma unroll
      for (int y = 0; y < TileY; ++y) {
#pragma unroll
        for (int x = 0; x < TileX; ++x) {
          sums[y][x] += part[ty + y * BlockY + i][tx + x * BlockX + j] * weights[i * kTaps + j];
        }
      }
    }
  }
#pragma unroll
  for (int y = 0; y < TileY; ++y) {
#pragma unroll
    for (int x = 0; x < TileX; ++x) {
      const int row = by + ty + y * BlockY;
      const int column = bx + tx + x * BlockX;
      if (kFits || (row < kSide && column < kSide)) out[row * kSide + column] = sums[y][x];
    }
  }
}
