// SPDX-License-Identifier: Apache-2.0
// fails: incorrect case=square
// cause: unwritten line=14
// Written for matrices of at most 64 x 64: elements beyond that are never copied.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void copy(float* out, const float* in, int width, int height) {
  constexpr int kSize = 64;
  const int column = blockIdx.x * kTile + threadIdx.x;
  for (int j = 0; j < kTile; j += kBlockRows) {
    const int row = blockIdx.y * kTile + threadIdx.y + j;
    if (column < min(width, kSize) && row < min(height, kSize)) {
      out[row * width + column] = in[row * width + column];
    }
  }
}
