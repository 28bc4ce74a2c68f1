// SPDX-License-Identifier: Apache-2.0
// cause: busy_pipe line=13
// says: 5.0 is a double: each point is converted, added and divided in double precision, which
//   costs dozens of instructions. Multiply by 0.2f.
// never: Neighbouring lanes must
__global__ void heat(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= width || y >= height) return;
  const float* p = in + (long long)y * width + x;
  const bool is_edge = x == 0 || y == 0 || x == width - 1 || y == height - 1;
  double v = *p;
  if (!is_edge) {
    const double row = p[-1] / 5.0 + p[1] / 5.0, column = p[-width] / 5.0 + p[width] / 5.0;
    v = v / 5.0 + row + column;
  }
  out[(long long)y * width + x] = v;
}
