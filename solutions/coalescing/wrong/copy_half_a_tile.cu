// SPDX-License-Identifier: Apache-2.0
// fails: incorrect case=one_tile
// cause: unwritten line=12
// Copies only rows 0 to 15 of each tile: the loop runs 16 / 8 times instead of 32 / 8 times.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void copy(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * kTile + threadIdx.x;
  for (int j = 0; j < kTile / 2; j += kBlockRows) {
    const int row = blockIdx.y * kTile + threadIdx.y + j;
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
