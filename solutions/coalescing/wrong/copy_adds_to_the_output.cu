// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic uninitialized_read
// cause: uninitialised line=12
// Adds to `out` as if it held zeros, but `out` is not initialized.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void copy(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * kTile + threadIdx.x;
  for (int j = 0; j < kTile; j += kBlockRows) {
    const int row = blockIdx.y * kTile + threadIdx.y + j;
    if (column < width && row < height) out[row * width + column] += in[row * width + column];
  }
}
