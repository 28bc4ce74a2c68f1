// SPDX-License-Identifier: Apache-2.0
// cause: wrong_operation line=14
// says: 1 / 5 is a division of whole numbers, and its result is 0.
__global__ void heat(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 8 + threadIdx.y;
  if (x >= width || y >= height) return;

  const float* p = in + (size_t)y * width + x;
  float result = p[0];
  const bool inside = x > 0 && x < width - 1 && y > 0 && y < height - 1;
  if (inside) {
    const float west = p[-1], east = p[1], north = p[-width], south = p[width];
    const float weight = 1 / 5;
    result = weight * (result + west + east + north + south);
  }
  out[(size_t)y * width + x] = result;
}
