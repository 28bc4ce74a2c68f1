// SPDX-License-Identifier: Apache-2.0
// cause: compile_error line=8
// says: widht is not declared: width.
__global__ void heat(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= width || y >= height) return;
  const float* p = in + y * width + x;
  if (x == 0 || y == 0 || x == widht - 1 || y == height - 1) {
    out[y * width + x] = *p;
    return;
  }
  out[y * width + x] = 0.2f * (p[0] + p[-1] + p[1] + p[-width] + p[width]);
}
