// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic out_of_bounds
// cause: wrong_stride line=16
// Uses the width of the grid as the row length, as many slides do. The two are equal only if the
// width is a multiple of 32. For other widths, rows start at wrong addresses, and the last ones are
// past the end.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void copy(float* out, const float* in, int width, int height) {
  const int row_length = gridDim.x * kTile;
  const int column = blockIdx.x * kTile + threadIdx.x;
  for (int j = 0; j < kTile; j += kBlockRows) {
    const int row = blockIdx.y * kTile + threadIdx.y + j;
    if (column < width && row < height) {
      out[row * row_length + column] = in[row * row_length + column];
    }
  }
}
