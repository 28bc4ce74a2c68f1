// SPDX-License-Identifier: Apache-2.0
// Going further in partition camping: a transpose of doubles at the limit, in three orders.
//
// Launch: transpose_order<Order><<<grid, 256>>>(out, in, width, height), both sizes multiples of
// 32; grid is dim3(width / 32, height / 32) for kAlongRows, dim3(height / 32, width / 32) for the
// others.
//
// Idea: an H200 hashes addresses, so no partition can be camped on. The order of the tiles still
// matters, because DRAM is faster within a page that is already open. Blocks that run together
// should access the same pages, and above all they should write close together.
//
// - kAlongRows: reads whole rows of `in`; writes short pieces of many rows of `out`.
// - kDownColumns: the other way round. Fastest: scattered writes cost more than scattered reads.
// - kDiagonal: short pieces on both sides. The best order on a GTX 280 is never the best here.
//
// As fractions of cudaMemcpy, measured on an H200 (driver 580.159.04, 21 November 2026;
// tests/evidence/cuda/further.cu):
//   N x N doubles   along rows   down columns   diagonal   cuBLAS geam
//            8192        0.959          0.990      0.941         0.968
//           11584        0.943          0.978      0.932         0.956
//           16384        0.884          0.948      0.925         0.926
//
// Otherwise the kernel works like bank_conflicts/further: 16 bytes per access, here two doubles;
// squares of 2 x 2 transposed in registers; a swizzled tile.

constexpr int kAlongRows = 0;
constexpr int kDownColumns = 1;
constexpr int kDiagonal = 2;

constexpr int kTile = 32;              // rows and columns of a tile
constexpr int kSide = 2;               // doubles per 16-byte word; rows and columns of a square
constexpr int kWords = kTile / kSide;  // 16 words per row of the tile
constexpr int kThreads = kWords * kWords;
constexpr int kBlocks = 8;  // per multiprocessor: all of its 2,048 threads

template <int Order>
__global__ void __launch_bounds__(kThreads, kBlocks)
    transpose_order(double* out, const double* in, int width, int height) {
  __shared__ double2 tile[kTile][kWords];  // row c is column c of the tile of `in`

  int tile_x = blockIdx.x;
  int tile_y = blockIdx.y;
  if (Order != kAlongRows) {
    tile_x = blockIdx.y;
    tile_y = blockIdx.x;
  }
  if (Order == kDiagonal) tile_x = (blockIdx.x + blockIdx.y) % gridDim.y;

  const int x = threadIdx.x % kWords;
  const int y = threadIdx.x / kWords;
  const int in_words = width / kSide;  // per row
  const int out_words = height / kSide;

  const double2* square = reinterpret_cast<const double2*>(in) +
                          (tile_y * kTile + y * kSide) * in_words + tile_x * kWords + x;
  const double2 a = square[0];
  const double2 b = square[in_words];

  const int place = y ^ (x % 8);
  tile[x * kSide + 0][place] = make_double2(a.x, b.x);
  tile[x * kSide + 1][place] = make_double2(a.y, b.y);

  __syncthreads();

  double2* words =
      reinterpret_cast<double2*>(out) + tile_x * kTile * out_words + tile_y * kWords + x;
#pragma unroll
  for (int k = 0; k < kSide; ++k) {
    const int row = y + k * kWords;
    words[row * out_words] = tile[row][x ^ (row / kSide % 8)];
  }
}
