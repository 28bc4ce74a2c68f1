// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=sectors_loaded
// cause: no_tile
// Loads 25 points from L1 for each point, without a tile.
__constant__ float weights[25] = {1,  3, 5, 6,  2,  4,  13, 17, 11, 5, 7, 19, 41,
                                  23, 6, 5, 15, 21, 14, 6,  3,  5,  9, 8, 7};

__global__ void blur(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  for (int row = threadIdx.y; row < 32; row += 8) {
    const int y = blockIdx.y * 32 + row;
    if (x >= width || y >= height) continue;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 25; ++k) {
      const int from_x = x + k % 5 - 2, from_y = y + k / 5 - 2;
      if (from_x < 0 || from_x >= width || from_y < 0 || from_y >= height) continue;
      sum += weights[k] * in[1LL * from_y * width + from_x];
    }
    out[1LL * y * width + x] = sum / 256;
  }
}
