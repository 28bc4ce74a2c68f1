// SPDX-License-Identifier: Apache-2.0
// Exercise convolution/channels: 32 filters of 3 x 3 points over all channels of an image.
//
// Input: `in`, `channels` planes of `height` rows of `width` floats, odd multiples of 1/8;
// `weight`,
//   32 filters of `channels` x 3 x 3 whole numbers. All sides from 1 up.
// Output: `out`, 32 planes of `height` x `width` floats. Point (x, y) of plane f is the sum of
//   weight[((f * channels + c) * 3 + dy) * 3 + dx] times point (x + dx - 1, y + dy - 1) of channel
//   c, over all c, dy and dx. Points outside of the image count as 0. No operation rounds, so the
//   results are compared bit by bit.
// Launch: ceil(width / 32) x ceil(height / 8) blocks of 32 x 8 threads, no dynamic shared memory.
//   Each block computes its 32 x 8 points of all 32 planes.
// Allowed: all device code of CUDA C++.
// Edit: the body of the kernel. Keep its name and its parameters.
//
// The kernel below is right, but it loads a point and a weight for each multiply-add. Let a loaded
// point serve many filters, and a loaded weight many points. Then run
//   ./warpgrade grade convolution/channels

__global__ void conv(float* out, const float* in, const float* weight, int channels, int width,
                     int height) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= width || y >= height) return;

  const long long plane = 1LL * width * height;
#pragma unroll 1
  for (int f = 0; f < 32; ++f) {
    float sum = 0;
    for (int c = 0; c < channels; ++c) {
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height) continue;
          const float point = in[c * plane + 1LL * (y + dy) * width + x + dx];
          sum += weight[((f * channels + c) * 3 + dy + 1) * 3 + dx + 1] * point;
        }
      }
    }
    out[f * plane + 1LL * y * width + x] = sum;
  }
}
