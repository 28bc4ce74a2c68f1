// SPDX-License-Identifier: Apache-2.0
// cause: redundant_loads|no_tile line=17
// says: Every thread loads the 3 x 3 points around its own, although only five of them count:
//   leave out the corners, or keep the points in shared memory.
// never: Neighbouring lanes must
__global__ void heat(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= width || y >= height) return;
  const bool is_edge = x == 0 || y == 0 || x == width - 1 || y == height - 1;
  if (is_edge) {
    out[y * width + x] = in[y * width + x];
    return;
  }
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      const float v = ((const volatile float*)in)[(y + dy) * width + x + dx];
      sum += dx == 0 || dy == 0 ? v : 0;
    }
  }
  out[y * width + x] = sum * 0.2f;
}
