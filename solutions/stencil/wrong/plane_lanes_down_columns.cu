// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=sectors_loaded
// cause: partial_sectors line=12
// Relies on L1 for the halo, but a warp covers 8 rows of 4 points: too many sectors per request.
__global__ void heat(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * 32 + threadIdx.y * 4 + threadIdx.x / 8;
  const int y = blockIdx.y * 8 + threadIdx.x % 8;
  if (x >= width || y >= height) return;
  const float* point = in + y * width + x;
  const bool is_edge = x == 0 || y == 0 || x == width - 1 || y == height - 1;
  out[y * width + x] =
      is_edge ? *point : 0.2f * (point[0] + point[-1] + point[1] + point[-width] + point[width]);
}
