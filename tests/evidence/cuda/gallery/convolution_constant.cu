// SPDX-License-Identifier: Apache-2.0
// 5 x 5 convolution of a 32 x 32 image; the weights are an initialized __constant__ array.
// launch: grid 2,2 block 16,16

__constant__ float weights[25] = {1,  4, 6, 4,  1,  4,  16, 24, 16, 4, 6, 24, 36,
                                  24, 6, 4, 16, 24, 16, 4,  1,  4,  6, 4, 1};
extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const int x = blockIdx.x * 16 + threadIdx.x;
  const int y = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int dy = -2; dy <= 2; ++dy) {
    for (int dx = -2; dx <= 2; ++dx) {
      const int sx = min(max(x + dx, 0), 31);
      const int sy = min(max(y + dy, 0), 31);
      sum += weights[(dy + 2) * 5 + dx + 2] * static_cast<float>(in[sy * 32 + sx] & 0xff);
    }
  }
  out[y * 32 + x] = __float_as_uint(sum / 256.0F);
}
