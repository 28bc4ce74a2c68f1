// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic out_of_bounds
// cause: wrong_guard line=12
// Tests `<=` instead of `<`, so a partial last tile reads and writes one row below the matrix.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void copy(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * kTile + threadIdx.x;
  for (int j = 0; j < kTile; j += kBlockRows) {
    const int row = blockIdx.y * kTile + threadIdx.y + j;
    if (column < width && row <= height) out[row * width + column] = in[row * width + column];
  }
}
