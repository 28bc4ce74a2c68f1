// SPDX-License-Identifier: Apache-2.0
// Moves float2 if the row length is even; a warp covers two rows at a time. With a pitch of 33
// words, the second row uses the banks that the first one leaves free.
__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][33];
  const int t = threadIdx.y * 32 + threadIdx.x, lane = t % 16 * 2;
  const bool even_in = width % 2 == 0, even_out = height % 2 == 0;
  for (int y = t / 16; y < 32; y += 16) {
    const int r = blockIdx.y * 32 + y, c = blockIdx.x * 32 + lane;
    float2 v = make_float2(0, 0);
    if (r < height && c < width) {
      const float* p = in + r * width + c;
      if (even_in)
        v = *(const float2*)p;
      else
        v = make_float2(p[0], c + 1 < width ? p[1] : 0);
    }
    tile[y][lane] = v.x;
    tile[y][lane + 1] = v.y;
  }
  __syncthreads();
  for (int y = t / 16; y < 32; y += 16) {
    const int r = blockIdx.x * 32 + y, c = blockIdx.y * 32 + lane;
    const float2 v = make_float2(tile[lane][y], tile[lane + 1][y]);
    if (r >= width || c >= height) continue;
    float* p = out + r * height + c;
    if (even_out) {
      *(float2*)p = v;
    } else {
      p[0] = v.x;
      if (c + 1 < height) p[1] = v.y;
    }
  }
}
