// SPDX-License-Identifier: Apache-2.0
// tries: Exits by inline PTX before the work, because the source would show a return.
// stopped by: Outputs that no thread writes keep their poison (common/verify/compare.cpp).
// verdict: fail incorrect, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  if (width >= 1024) asm volatile("exit;");
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
