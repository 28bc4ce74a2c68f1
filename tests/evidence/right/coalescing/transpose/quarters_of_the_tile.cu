// SPDX-License-Identifier: Apache-2.0
// Transposes four 16 x 16 squares one after the other through one small buffer. The 64 bytes of a
// row are two whole sectors.
#define SIDE 16
__global__ void transpose(float *out, const float *in, int width, int height)
{
  __shared__ float square[SIDE][SIDE + 1];
  int t = threadIdx.y * 32 + threadIdx.x;
  int tx = t % SIDE, ty = t / SIDE;
  for (int q = 0; q < 4; q++) {
    int x0 = blockIdx.x * 32 + (q & 1) * SIDE;
    int y0 = blockIdx.y * 32 + (q >> 1) * SIDE;
    if (x0 + tx < width && y0 + ty < height)
      square[ty][tx] = in[(y0 + ty) * width + x0 + tx];
    __syncthreads();
    if (y0 + tx < height && x0 + ty < width)
      out[(x0 + ty) * height + y0 + tx] = square[tx][ty];
    __syncthreads();
  }
}
