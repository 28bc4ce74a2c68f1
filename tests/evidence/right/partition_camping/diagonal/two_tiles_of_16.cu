// SPDX-License-Identifier: Apache-2.0
// Diagonal block order. Each block transposes four 16 x 16 squares, with a half-warp per row.
__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float square[16][17];
  const int by = blockIdx.x, bx = (blockIdx.x + blockIdx.y) % gridDim.x;
  const int t = threadIdx.y * 32 + threadIdx.x, x = t & 15, y = t >> 4;
  for (int s = 0; s < 4; ++s) {
    const int x0 = bx * 32 + s % 2 * 16, y0 = by * 32 + s / 2 * 16;
    if (s > 0) __syncthreads();
    square[y][x] = in[(y0 + y) * width + x0 + x];
    __syncthreads();
    out[(x0 + y) * height + y0 + x] = square[x][y];
  }
}
