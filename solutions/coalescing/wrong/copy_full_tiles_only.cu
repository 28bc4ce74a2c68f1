// SPDX-License-Identifier: Apache-2.0
// fails: incorrect case=wide_ragged
// cause: missing_edge
// Blocks with a partial tile return instead of copying the part inside the matrix.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void copy(float* out, const float* in, int width, int height) {
  if ((blockIdx.x + 1) * kTile > width || (blockIdx.y + 1) * kTile > height) return;
  const int column = blockIdx.x * kTile + threadIdx.x;
  for (int j = 0; j < kTile; j += kBlockRows) {
    const int row = blockIdx.y * kTile + threadIdx.y + j;
    out[row * width + column] = in[row * width + column];
  }
}
