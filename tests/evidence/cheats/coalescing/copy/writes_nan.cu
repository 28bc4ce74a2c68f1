// SPDX-License-Identifier: Apache-2.0
// tries: Writes NaN everywhere, which a comparison by difference accepts as equal.
// stopped by: Elements are compared by their bits (common/verify/compare.cpp).
// verdict: fail incorrect, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = __int_as_float(0x7fc00000);
  }
}
