// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=sectors_loaded
// The loop counts rows by one and forgets threadIdx.y: each of the eight warps copies the whole
// tile. Eight threads write the same value to each element, so the result is right and each
// request is coalesced, but there are eight times as many as needed.
constexpr int kTile = 32;

__global__ void copy(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * kTile + threadIdx.x;
  for (int j = 0; j < kTile; ++j) {
    const int row = blockIdx.y * kTile + j;
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
