// SPDX-License-Identifier: Apache-2.0
// Splits each tile into four strips of 8 x 32 words. A warp transposes every eighth strip, in its
// own buffer and with __syncwarp.
template <int Factor>
__global__ void transpose_coarsened(float* out, const float* in, int width, int height) {
  __shared__ float strip[8][8][33];
  float(*mine)[33] = strip[threadIdx.y];
  const int lane = threadIdx.x;
  for (int job = threadIdx.y; job < 4 * Factor; job += 8) {
    const int left = (blockIdx.x * Factor + job / 4) * 32, top = blockIdx.y * 32 + job % 4 * 8;
    for (int r = 0; r < 8; ++r)
      if (top + r < height && left + lane < width)
        mine[r][lane] = in[(top + r) * width + left + lane];
    __syncwarp();
    for (int k = 0; k < 8; ++k) {
      const int c = 4 * k + lane / 8, r = lane % 8;
      if (top + r < height && left + c < width) out[(left + c) * height + top + r] = mine[r][c];
    }
    __syncwarp();
  }
}
