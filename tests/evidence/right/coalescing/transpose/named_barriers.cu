// SPDX-License-Identifier: Apache-2.0
// Two named barriers: four warps transpose the left half of the tile, four the right half.
__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[2][32][17];
  const int half = threadIdx.y / 4, t = threadIdx.y % 4 * 32 + threadIdx.x;
  const int left = blockIdx.x * 32 + half * 16, top = blockIdx.y * 32;
  for (int i = t; i < 512; i += 128) {
    const int r = top + i / 16, c = left + i % 16;
    if (r < height && c < width) tile[half][i / 16][i % 16] = in[r * width + c];
  }
  asm volatile("bar.sync %0, 128;" ::"r"(half + 1) : "memory");
  for (int i = t; i < 512; i += 128) {
    const int r = left + i / 32, c = top + i % 32;
    if (r < width && c < height) out[r * height + c] = tile[half][i % 32][i / 32];
  }
}
