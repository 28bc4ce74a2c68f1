// SPDX-License-Identifier: Apache-2.0
// Rotates each row to the left; a mask wraps the difference of column and row.
__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8)
    if (x < width && y + i < height)
      tile[threadIdx.y + i][(threadIdx.x - threadIdx.y - i) & 31] = in[(y + i) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8)
    if (x < height && y + i < width)
      out[(y + i) * height + x] = tile[threadIdx.x][(threadIdx.y + i - threadIdx.x) & 31];
}
