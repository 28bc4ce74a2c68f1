// SPDX-License-Identifier: Apache-2.0
// cause: wrong_guard line=11
// says: Column `width` and row `height` are outside of the matrix, but > lets them through; it must be >=.
#define TILE 32
#define ROWS 8

__global__ void copy(float* out, const float* in, int width, int height) {
  int x = blockIdx.x * TILE + threadIdx.x;
  int y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS) {
    if (x > width || y + j > height) continue;
    int idx = (y + j) * width + x;
    out[idx] = in[idx];
  }
}
