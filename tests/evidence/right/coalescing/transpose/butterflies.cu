// SPDX-License-Identifier: Apache-2.0
// Eight lanes transpose an 8 x 8 square in three shfl_xor steps, without shared memory. Four of the
// eight warps work, each on eight rows of the tile.
__global__ void transpose(float* out, const float* in, int width, int height) {
  if (threadIdx.y >= 4) return;
  const unsigned lane = threadIdx.x;
  const int column = blockIdx.x * 32 + lane;
  const int row = blockIdx.y * 32 + threadIdx.y * 8;
  float v[8];
#pragma unroll
  for (int k = 0; k < 8; ++k)
    v[k] = column < width && row + k < height ? in[(row + k) * width + column] : 0.0f;
#pragma unroll
  for (int step = 1; step < 8; step *= 2) {
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      if (k & step) continue;
      const bool upper = lane & step;
      const float send = upper ? v[k] : v[k + step];
      const float got = __shfl_xor_sync(0xffffffffu, send, step);
      if (upper)
        v[k] = got;
      else
        v[k + step] = got;
    }
  }
  const int out_row = blockIdx.x * 32 + lane / 8 * 8;
  const int out_column = row + lane % 8;
#pragma unroll
  for (int k = 0; k < 8; ++k)
    if (out_row + k < width && out_column < height) out[(out_row + k) * height + out_column] = v[k];
}
