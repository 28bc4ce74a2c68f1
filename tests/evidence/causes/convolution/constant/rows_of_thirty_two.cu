// SPDX-License-Identifier: Apache-2.0
// cause: wrong_stride line=28
// says: The tile has rows of 36 values, but the sum reads it with rows of 32.
__constant__ float weights[25] = {1,  3, 5, 6,  2,  4,  13, 17, 11, 5, 7, 19, 41,
                                  23, 6, 5, 15, 21, 14, 6,  3,  5,  9, 8, 7};

__global__ void blur(float* out, const float* in, int width, int height) {
  __shared__ float tile[36 * 36];
  const int id = threadIdx.x + 32 * threadIdx.y;
  for (int p = id; p < 36 * 36; p += 256) {
    const int gx = 32 * blockIdx.x + p % 36 - 2;
    const int gy = 32 * blockIdx.y + p / 36 - 2;
    float value = 0;
    if (gx >= 0 && gy >= 0 && gx < width && gy < height) value = in[(size_t)gy * width + gx];
    tile[p] = value;
  }
  __syncthreads();
  const int x = 32 * blockIdx.x + threadIdx.x;
  if (x >= width) return;
  for (int r = threadIdx.y; r < 32; r += 8) {
    const int y = 32 * blockIdx.y + r;
    if (y >= height) break;
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 5; i++) {
#pragma unroll
      for (int j = 0; j < 5; j++) {
        sum += weights[5 * i + j] * tile[(r + i) * 32 + threadIdx.x + j];
      }
    }
    out[(size_t)y * width + x] = sum / 256;
  }
}
