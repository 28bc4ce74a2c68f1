// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=sectors_loaded
// cause: redundant_loads line=18
// A thread per point keeps all 32 sums in registers, and loads weights and points from L1.
__global__ void conv(float* out, const float* in, const float* weight, int channels, int width,
                     int height) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= width || y >= height) return;
  const int plane = width * height;
  float sums[32] = {};
  for (int c = 0; c < channels; ++c) {
#pragma unroll 1
    for (int k = 0; k < 9; ++k) {
      const int from_x = x + k % 3 - 1, from_y = y + k / 3 - 1;
      if (from_x < 0 || from_x >= width || from_y < 0 || from_y >= height) continue;
      const float point = in[c * plane + from_y * width + from_x];
#pragma unroll
      for (int f = 0; f < 32; ++f) sums[f] += weight[(f * channels + c) * 9 + k] * point;
    }
  }
#pragma unroll
  for (int f = 0; f < 32; ++f) out[f * plane + y * width + x] = sums[f];
}
