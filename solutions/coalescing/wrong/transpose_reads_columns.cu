// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=loads_coalesced
// The skeleton turned round: whole rows are written, and the columns are read straight from `in`.
// Strided reads cost less than strided writes, which makes this the better naive transpose, but a
// warp still moves 32 sectors for 128 bytes.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void transpose(float* out, const float* in, int width, int height) {
  const int out_column = blockIdx.y * kTile + threadIdx.x;
  const int out_row = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows) {
    if (out_column < height && out_row + j < width) {
      out[(out_row + j) * height + out_column] = in[out_column * width + out_row + j];
    }
  }
}
