// SPDX-License-Identifier: Apache-2.0
// cause: wrong_operation line=11
// says: The result is 0.2 times the sum of five points; here the point itself is left out and
//   the factor is 0.25.
// never: barrier
__global__ void heat(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= width || y >= height) return;
  const float* p = in + y * width + x;
  float v = *p;
  if (x > 0 && y > 0 && x < width - 1 && y < height - 1) v = 0.25f * (p[-1] + p[1] + p[-width] + p[width]);
  out[y * width + x] = v;
}
