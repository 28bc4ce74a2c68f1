// SPDX-License-Identifier: Apache-2.0
// tries: Copies the first and the last rows, where a spot check might look, and skips the middle of
//   large matrices.
// stopped by: All elements are compared (common/verify/compare.cpp).
// verdict: fail incorrect, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  if (height >= 1024 && blockIdx.y > 0 && blockIdx.y < gridDim.y - 1) return;
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
