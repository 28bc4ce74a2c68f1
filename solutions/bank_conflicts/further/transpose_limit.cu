// SPDX-License-Identifier: Apache-2.0
// Going further in bank conflicts: a transpose of floats at the limit of the memory.
//
// Launch: transpose_limit<<<dim3(height / 64, width / 64), dim3(16, 16)>>>(out, in, width, height),
// both sizes multiples of 64.
//
// Idea: every access to global and shared memory moves 16 bytes. A thread loads a square of 4 x 4
// floats, four neighbouring floats from each of four rows. It transposes the square in registers at
// no cost, because the compiler only renames them. The tile in shared memory then contains columns
// of `in`, so each of its words is a piece of a row of `out`.
//
// No conflicts: a wavefront serves 8 lanes with 16 bytes each if they use 8 different groups of 4
// banks. Eight lanes with neighbouring x store to the same word of 8 rows. All rows begin in bank
// 0, so these lanes would use one group. Storing word y of a row at y ^ (x % 8) uses all 8 groups
// instead. Loads need no care: 8 lanes read 8 words of one row, in some order.
//
// Why it is fast: each thread has four independent 16-byte loads, and rows are 256 bytes long on
// both sides. Consecutive blocks go down the columns of `in`: blockIdx.x is the row of tiles. They
// write whole rows of `out` and read short pieces of many rows of `in`. The other order is slower
// (0.948), because scattered writes cost more than scattered reads. One block per tile keeps this
// order. Five tiles fill 80 of a multiprocessor's 256 KB; loads in flight need the rest as L1. With
// all of it reserved for shared memory, the kernel drops from 0.979 to 0.949 of cudaMemcpy.
//
// Measured on two H200 cards at 16384 x 16384 (driver 580.159.04, 21 November 2026;
// tests/evidence/cuda/further.cu): 4,126 and 4,124 GB/s, 0.979 and 0.973 of cudaMemcpy. cuBLAS geam
// reaches 0.939 and 0.936, and the exercise's transpose 0.84.
// tests/evidence/cuda/transpose_sweep.cu tries other tiles, orders and hints.

constexpr int kTile = 64;              // rows and columns of a tile
constexpr int kSide = 4;               // floats per 16-byte word; rows and columns of a square
constexpr int kWords = kTile / kSide;  // 16 words per row of the tile; also blockDim.x and .y
constexpr int kThreads = kWords * kWords;
constexpr int kBlocks = 5;  // per multiprocessor; limits registers to 48 per thread

__global__ void __launch_bounds__(kThreads, kBlocks)
    transpose_limit(float* out, const float* in, int width, int height) {
  __shared__ float4 tile[kTile][kWords];  // row c is column c of the tile of `in`

  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int in_words = width / kSide;  // per row
  const int out_words = height / kSide;

  const float4* square = reinterpret_cast<const float4*>(in) +
                         (blockIdx.x * kTile + y * kSide) * in_words + blockIdx.y * kWords + x;
  const float4 a = square[0];
  const float4 b = square[in_words];
  const float4 c = square[2 * in_words];
  const float4 d = square[3 * in_words];

  const int place = y ^ (x % 8);
  tile[x * kSide + 0][place] = make_float4(a.x, b.x, c.x, d.x);
  tile[x * kSide + 1][place] = make_float4(a.y, b.y, c.y, d.y);
  tile[x * kSide + 2][place] = make_float4(a.z, b.z, c.z, d.z);
  tile[x * kSide + 3][place] = make_float4(a.w, b.w, c.w, d.w);

  __syncthreads();

  float4* words =
      reinterpret_cast<float4*>(out) + blockIdx.y * kTile * out_words + blockIdx.x * kWords + x;
#pragma unroll
  for (int k = 0; k < kSide; ++k) {
    const int row = y + k * kWords;
    words[row * out_words] = tile[row][x ^ (row / kSide % 8)];
  }
}
