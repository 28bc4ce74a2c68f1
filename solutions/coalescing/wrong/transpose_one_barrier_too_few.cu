// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic race
// cause: missing_barrier line=19
// The block transposes its tile in two halves of 16 rows, through one buffer. A barrier separates
// the writes from the reads, but none separates the reads from the next writes. So a fast warp
// overwrites words that a slow warp has yet to read.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void transpose(float* out, const float* in, int width, int height) {
  constexpr int kHalf = kTile / 2;
  __shared__ float tile[kHalf][kTile + 1];

  const int column = blockIdx.x * kTile + threadIdx.x;
  const int thread = threadIdx.y * kTile + threadIdx.x;
  for (int half = 0; half < kTile; half += kHalf) {
    for (int j = threadIdx.y; j < kHalf; j += kBlockRows) {
      const int row = blockIdx.y * kTile + half + j;
      if (column < width && row < height) tile[j][threadIdx.x] = in[row * width + column];
    }
    __syncthreads();
    const int out_column = blockIdx.y * kTile + half + thread % kHalf;
    for (int j = thread / kHalf; j < kTile; j += kTile * kBlockRows / kHalf) {
      const int out_row = blockIdx.x * kTile + j;
      if (out_column < height && out_row < width) {
        out[out_row * height + out_column] = tile[thread % kHalf][j];
      }
    }
  }
}
