// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=sectors_loaded
// cause: redundant_loads line=13
// The loop ignores threadIdx.y and visits every row, so each of the eight warps copies the whole
// tile. The result is correct and every request is coalesced, but there are eight times as many
// requests as needed.
constexpr int kTile = 32;

__global__ void copy(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * kTile + threadIdx.x;
  for (int j = 0; j < kTile; ++j) {
    const int row = blockIdx.y * kTile + j;
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
