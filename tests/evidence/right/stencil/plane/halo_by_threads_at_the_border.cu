// SPDX-License-Identifier: Apache-2.0
// Each thread stores its own point; threads at the border of the block also store the halo beside
// them. Four corners of the tile stay empty: no point needs them.
#define BX 32
#define BY 8
__global__ void heat(float* out, const float* in, int width, int height) {
  __shared__ float s[BY + 2][BX + 2];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int gx = blockIdx.x * BX + threadIdx.x, gy = blockIdx.y * BY + threadIdx.y;
  const bool inside = gx < width && gy < height;
  const int g = gy * width + gx;
  if (inside) {
    s[ty][tx] = in[g];
    if (tx == 1 && gx > 0) s[ty][0] = in[g - 1];
    if (tx == BX && gx + 1 < width) s[ty][BX + 1] = in[g + 1];
    if (ty == 1 && gy > 0) s[0][tx] = in[g - width];
    if (ty == BY && gy + 1 < height) s[BY + 1][tx] = in[g + width];
  }
  __syncthreads();
  if (!inside) return;
  float v = s[ty][tx];
  if (gx > 0 && gy > 0 && gx < width - 1 && gy < height - 1) {
    v = 0.2f * (v + s[ty][tx - 1] + s[ty][tx + 1] + s[ty - 1][tx] + s[ty + 1][tx]);
  }
  out[g] = v;
}
