// SPDX-License-Identifier: Apache-2.0
// fails: compile
// cause: compile_error
// Takes the source first, unlike memcpy. The file compiles, but the exercise requires another
// signature.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void copy(const float* in, float* out, int width, int height) {
  const int column = blockIdx.x * kTile + threadIdx.x;
  for (int j = 0; j < kTile; j += kBlockRows) {
    const int row = blockIdx.y * kTile + threadIdx.y + j;
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
