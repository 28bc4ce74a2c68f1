// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic input_modified
// cause: writes_input line=15
// Moves instead of copying: casts away the `const` of `in` and sets each copied element to 0.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void copy(float* out, const float* in, int width, int height) {
  float* source = const_cast<float*>(in);
  const int column = blockIdx.x * kTile + threadIdx.x;
  for (int j = 0; j < kTile; j += kBlockRows) {
    const int row = blockIdx.y * kTile + threadIdx.y + j;
    if (column < width && row < height) {
      out[row * width + column] = source[row * width + column];
      source[row * width + column] = 0;
    }
  }
}
