// SPDX-License-Identifier: Apache-2.0
// cause: missing_edge line=14
// says: The loop takes four channels at a time and stops before a group that is not whole: with 5 channels the last one is left out.
__global__ void conv(float* out, const float* in, const float* weight, int channels, int width,
                     int height) {
  constexpr int kGroup = 4;
  __shared__ float image[kGroup * 10 * 34];
  __shared__ __align__(16) float taps[kGroup * 9 * 36];
  const int t = threadIdx.y * 32 + threadIdx.x;
  const int f0 = threadIdx.y % 4 * 8, r0 = threadIdx.y / 4 * 4;
  const long long plane = (long long)width * height;
  float result[8][4] = {};

  for (int first = 0; first + kGroup <= channels; first += kGroup) {
    __syncthreads();
    for (int i = t; i < kGroup * 340; i += 256) {
      const int rest = i % 340;
      const int x = blockIdx.x * 32 + rest % 34 - 1, y = blockIdx.y * 8 + rest / 34 - 1;
      float p = 0;
      if (x >= 0 && x < width && y >= 0 && y < height) {
        p = in[(first + i / 340) * plane + (long long)y * width + x];
      }
      image[i] = p;
    }
    for (int i = t; i < 32 * kGroup * 9; i += 256) {
      const int f = i / (kGroup * 9), tap = i % (kGroup * 9);
      taps[tap * 36 + f] = weight[(f * channels + first) * 9 + tap];
    }
    __syncthreads();
#pragma unroll
    for (int c = 0; c < kGroup; ++c) {
#pragma unroll
      for (int dx = 0; dx < 3; ++dx) {
        float p[6];
#pragma unroll
        for (int r = 0; r < 6; ++r) p[r] = image[c * 340 + (r0 + r) * 34 + threadIdx.x + dx];
#pragma unroll
        for (int dy = 0; dy < 3; ++dy) {
          float w[8];
          const float4* from = (const float4*)&taps[(c * 9 + dy * 3 + dx) * 36 + f0];
          const float4 low = from[0], high = from[1];
          w[0] = low.x, w[1] = low.y, w[2] = low.z, w[3] = low.w;
          w[4] = high.x, w[5] = high.y, w[6] = high.z, w[7] = high.w;
#pragma unroll
          for (int f = 0; f < 8; ++f) {
#pragma unroll
            for (int r = 0; r < 4; ++r) result[f][r] += w[f] * p[r + dy];
          }
        }
      }
    }
  }
  const int x = blockIdx.x * 32 + threadIdx.x;
  if (x >= width) return;
#pragma unroll
  for (int f = 0; f < 8; ++f) {
#pragma unroll
    for (int r = 0; r < 4; ++r) {
      const int y = blockIdx.y * 8 + r0 + r;
      if (y < height) out[(f0 + f) * plane + (long long)y * width + x] = result[f][r];
    }
  }
}
