// SPDX-License-Identifier: Apache-2.0
// cause: compile_error line=5
// says: The kernel has the name copyy; the exercise launches copy.
constexpr int kTile = 32;
__global__ void copyy(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += 8) {
    if (column < width && row + j < height) out[(row + j) * width + column] = in[(row + j) * width + column];
  }
}
