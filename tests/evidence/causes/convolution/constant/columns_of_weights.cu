// SPDX-License-Identifier: Apache-2.0
// cause: swapped_indices line=21
// says: Row and column of the weights are exchanged, and the weights are not symmetric.
__constant__ float weights[25] = {1,  3, 5, 6,  2,  4,  13, 17, 11, 5, 7, 19, 41,
                                  23, 6, 5, 15, 21, 14, 6,  3,  5,  9, 8, 7};

__global__ void blur(float* out, const float* in, int width, int height) {
  __shared__ float s[36][36];
  const int x0 = blockIdx.x * 32 - 2, y0 = blockIdx.y * 32 - 2;
  for (int y = threadIdx.y; y < 36; y += 8) {
    for (int x = threadIdx.x; x < 36; x += 32) {
      const bool inside = x0 + x >= 0 && x0 + x < width && y0 + y >= 0 && y0 + y < height;
      s[y][x] = inside ? in[(size_t)(y0 + y) * width + x0 + x] : 0.f;
    }
  }
  __syncthreads();
  for (int r = threadIdx.y; r < 32; r += 8) {
    float v = 0;
    for (int dy = 0; dy < 5; ++dy) {
      for (int dx = 0; dx < 5; ++dx) {
        v += weights[dx * 5 + dy] * s[r + dy][threadIdx.x + dx];
      }
    }
    const int x = x0 + 2 + threadIdx.x, y = y0 + 2 + r;
    if (x < width && y < height) out[(size_t)y * width + x] = v / 256;
  }
}
