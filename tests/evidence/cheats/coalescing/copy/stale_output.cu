// SPDX-License-Identifier: Apache-2.0
// tries: Writes every second block and hopes that the output still contains the other half from an
//   earlier launch.
// stopped by: Outputs are poisoned before each launch (grader/cases/sized_case.cpp).
// verdict: fail incorrect, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  if (blockIdx.x % 2 == 1 || (gridDim.x == 1 && blockIdx.y % 2 == 1) || width == 1) return;
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
