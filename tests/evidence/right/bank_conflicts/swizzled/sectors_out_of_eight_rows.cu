// SPDX-License-Identifier: Apache-2.0
// A warp stores eight words, one sector, to each of four rows of `out`. So it reads eight rows and
// four columns of the tile at once. XOR with 4 * (row % 8) is enough to avoid conflicts.
__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][32];
  const int lane = threadIdx.x, warp = threadIdx.y;
  for (int k = 0; k < 4; ++k) {
    const int y = 4 * warp + k, r = blockIdx.y * 32 + y, c = blockIdx.x * 32 + lane;
    if (r < height && c < width) tile[y][lane ^ (y % 8 * 4)] = in[r * width + c];
  }
  __syncthreads();
  for (int k = 0; k < 4; ++k) {
    const int y = 8 * k + lane % 8, x = 4 * warp + lane / 8;
    const int r = blockIdx.x * 32 + x, c = blockIdx.y * 32 + y;
    if (r < width && c < height) out[r * height + c] = tile[y][x ^ (y % 8 * 4)];
  }
}
