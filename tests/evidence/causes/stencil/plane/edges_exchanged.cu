// SPDX-License-Identifier: Apache-2.0
// cause: swapped_indices|out_of_bounds|wrong_guard line=9
// says: The last column is width - 1 and the last row height - 1; the tests have them exchanged.
// never: barrier
__global__ void heat(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= width || y >= height) return;
  const float* p = in + y * width + x;
  const bool is_edge = x == 0 || y == 0 || x == height - 1 || y == width - 1;
  out[y * width + x] = is_edge ? *p : 0.2f * (p[0] + p[-1] + p[1] + p[-width] + p[width]);
}
