// SPDX-License-Identifier: Apache-2.0
// A macro contains the swizzle. All global loads go to registers first.
#define T(r, c) tile[(r)][(c) ^ (r)]
__global__ void transpose(float *out, const float *in, int width, int height)
{
  __shared__ float tile[32][32];
  float a = 0, b = 0, c = 0, d = 0;
  int x = 32 * blockIdx.x + threadIdx.x, y = 32 * blockIdx.y + threadIdx.y;
  if (x < width) {
    if (y < height) a = in[y * width + x];
    if (y + 8 < height) b = in[(y + 8) * width + x];
    if (y + 16 < height) c = in[(y + 16) * width + x];
    if (y + 24 < height) d = in[(y + 24) * width + x];
  }
  T(threadIdx.y, threadIdx.x) = a;
  T(threadIdx.y + 8, threadIdx.x) = b;
  T(threadIdx.y + 16, threadIdx.x) = c;
  T(threadIdx.y + 24, threadIdx.x) = d;
  __syncthreads();
  x = 32 * blockIdx.y + threadIdx.x, y = 32 * blockIdx.x + threadIdx.y;
  if (x < height) {
    if (y < width) out[y * height + x] = T(threadIdx.x, threadIdx.y);
    if (y + 8 < width) out[(y + 8) * height + x] = T(threadIdx.x, threadIdx.y + 8);
    if (y + 16 < width) out[(y + 16) * height + x] = T(threadIdx.x, threadIdx.y + 16);
    if (y + 24 < width) out[(y + 24) * height + x] = T(threadIdx.x, threadIdx.y + 24);
  }
}
