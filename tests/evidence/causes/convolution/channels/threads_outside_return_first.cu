// SPDX-License-Identifier: Apache-2.0
// cause: uninitialised|wrong_guard|divergent_barrier line=11
// says: Threads outside of the image return before they have loaded their part of the tile.
__global__ void conv(float* out, const float* in, const float* weight, int channels, int width,
                     int height) {
  __shared__ float tile[10][34];
  __shared__ float w[32 * 9];
  const int t = threadIdx.y * 32 + threadIdx.x;
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;

  if (x >= width || y >= height) return;
  float sum[32] = {};
  for (int c = 0; c < channels; ++c) {
    for (int i = t; i < 340; i += 256) {
      const int px = blockIdx.x * 32 + i % 34 - 1, py = blockIdx.y * 8 + i / 34 - 1;
      const bool in_image = px >= 0 && py >= 0 && px < width && py < height;
      tile[i / 34][i % 34] = in_image ? in[(1LL * c * height + py) * width + px] : 0;
    }
    for (int i = t; i < 288; i += 256) w[i] = weight[((i / 9) * channels + c) * 9 + i % 9];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 9; ++k) {
      const float point = tile[threadIdx.y + k / 3][threadIdx.x + k % 3];
#pragma unroll
      for (int f = 0; f < 32; ++f) sum[f] += w[f * 9 + k] * point;
    }
    __syncthreads();
  }
#pragma unroll
  for (int f = 0; f < 32; ++f) out[(1LL * f * height + y) * width + x] = sum[f];
}
