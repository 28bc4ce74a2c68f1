// SPDX-License-Identifier: Apache-2.0
// fails: incorrect case=one_tile
// cause: wrong_guard line=13
// The last column has index `width - 1`, but the check stops at `width - 2`, so that column is
// never written.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void copy(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * kTile + threadIdx.x;
  for (int j = 0; j < kTile; j += kBlockRows) {
    const int row = blockIdx.y * kTile + threadIdx.y + j;
    if (column < width - 1 && row < height) out[row * width + column] = in[row * width + column];
  }
}
