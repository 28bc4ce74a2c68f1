// SPDX-License-Identifier: Apache-2.0
// cause: wrong_stride line=21
// says: Filters are channels * 9 weights apart, but the index has the number of filters.
__global__ void conv(float* out, const float* in, const float* weight, int channels, int width,
                     int height) {
  __shared__ float tile[10][34], w[9][32];
  const int tx = threadIdx.x, ty = threadIdx.y, id = 32 * ty + tx;
  const int x = 32 * blockIdx.x + tx, y = 8 * blockIdx.y + ty;
  const long long plane = (long long)width * height;
  float acc[32];
  for (int f = 0; f < 32; ++f) acc[f] = 0;
  for (int c = 0; c < channels; ++c) {
    __syncthreads();
    for (int i = id; i < 340; i += 256) {
      const int gx = 32 * blockIdx.x + i % 34 - 1, gy = 8 * blockIdx.y + i / 34 - 1;
      const bool ok = gx >= 0 && gy >= 0 && gx < width && gy < height;
      tile[i / 34][i % 34] = ok ? in[c * plane + (long long)gy * width + gx] : 0;
    }
    for (int i = id; i < 288; i += 256) {
      const int f = i / 9, k = i % 9;
      w[k][f] = weight[(f * 32 + c) * 9 + k];
    }
    __syncthreads();
    for (int k = 0; k < 9; ++k) {
      const float p = tile[ty + k / 3][tx + k % 3];
      for (int f = 0; f < 32; ++f) acc[f] += p * w[k][f];
    }
  }
  if (x >= width || y >= height) return;
  for (int f = 0; f < 32; ++f) out[f * plane + (long long)y * width + x] = acc[f];
}
