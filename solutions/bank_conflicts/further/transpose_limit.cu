// SPDX-License-Identifier: Apache-2.0
// Going further in bank conflicts: a transpose of floats at the limit of the memory.
//
// Launch: transpose_limit<<<dim3(height / 64, width / 64), dim3(16, 16)>>>(out, in, width, height),
// both sizes multiples of 64.
//
// Idea: nothing but 16-byte accesses, of global and of shared memory. A thread loads a square of
// 4 x 4 floats, one word of four floats from each of four rows. It turns the square in its
// registers, which costs nothing: the compiler names them anew. The tile in shared memory then
// holds columns of `in`, so that a row of `out` comes out of it word by word.
//
// No conflicts: a wavefront serves 8 lanes with 16 bytes each, if they lie in 8 groups of 4 banks.
// Stores: 8 lanes with neighbouring x take the same place in rows of the tile, which begin in bank
// 0: all in one group. With word y of a row in place y ^ (x % 8), they lie in 8. Loads: 8 lanes
// take 8 places of one row, in some order.
//
// Why this is fast: four independent 16-byte loads a thread, and rows of 256 bytes on either side.
// Tiles go down the columns of `in`: blockIdx.x is the row of tiles. Blocks that run together then
// write whole rows of `out`, and read short pieces of many rows of `in`. Along the rows of `in` it
// is the other way round, and slower (0.948): scattered writes cost more than scattered reads.
// A block a tile, and no loop, so that the hardware keeps this order. Five tiles on a
// multiprocessor are 80 KB; what is left of its 256 is L1, where loads under way need room. With
// all of it set aside for shared memory the same kernel drops from 0.979 to 0.949 of cudaMemcpy.
//
// Measured on two H200 (driver 580.159.04, 21 November 2026; tests/evidence/cuda/further.cu), 16384 x 16384:
// 4126 and 4124 GB/s, 0.979 and 0.973 of cudaMemcpy, where cuBLAS geam has 0.939 and 0.936 and the
// exercise's transpose 0.84. tests/evidence/cuda/transpose_sweep.cu tries other tiles, orders and hints.

constexpr int kTile = 64;              // rows and columns of a tile
constexpr int kSide = 4;               // floats of a 16-byte word, rows and columns of a square
constexpr int kWords = kTile / kSide;  // 16: words of a row of the tile; blockDim.x and .y
constexpr int kThreads = kWords * kWords;
constexpr int kBlocks = 5;  // a multiprocessor; holds registers to 48 a thread

__global__ void __launch_bounds__(kThreads, kBlocks)
    transpose_limit(float* out, const float* in, int width, int height) {
  __shared__ float4 tile[kTile][kWords];  // row c is column c of the tile of `in`

  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int in_words = width / kSide;  // of a row
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
