// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=l2_sectors
// cause: no_tile line=11
// Lanes follow rows, but volatile loads bypass L1, so each point is loaded from L2 five times.
__global__ void heat(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= width || y >= height) return;
  const volatile float* point = in + y * width + x;
  const bool is_edge = x == 0 || y == 0 || x == width - 1 || y == height - 1;
  out[y * width + x] =
      is_edge ? *point : 0.2f * (point[0] + point[-1] + point[1] + point[-width] + point[width]);
}
