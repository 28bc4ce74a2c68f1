// SPDX-License-Identifier: Apache-2.0
// Passes both halves of the tile through one buffer of 16 rows of 33 words. A warp reads two
// columns that are 16 apart, so its lanes access 32 different banks.
constexpr int kHalf = 16;

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kHalf][33];
  const int lane = threadIdx.x, warp = threadIdx.y;
  float value[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int row = blockIdx.y * 32 + warp + 8 * k, column = blockIdx.x * 32 + lane;
    value[k] = row < height && column < width ? in[row * width + column] : 0.0f;
  }
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    tile[warp][lane] = value[2 * half];
    tile[warp + 8][lane] = value[2 * half + 1];
    __syncthreads();
    const int r = lane % kHalf, out_column = blockIdx.y * 32 + half * kHalf + r;
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      const int c = lane / kHalf * kHalf + warp + 8 * k;
      const int out_row = blockIdx.x * 32 + c;
      if (out_row < width && out_column < height) out[out_row * height + out_column] = tile[r][c];
    }
    __syncthreads();
  }
}
