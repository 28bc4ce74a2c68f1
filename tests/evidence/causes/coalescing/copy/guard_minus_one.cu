// SPDX-License-Identifier: Apache-2.0
// cause: wrong_guard|unwritten line=9
// says: The guard leaves out the last column: column < width - 1 must be column < width.
__global__ void copy(float* out, const float* in, int width, int height) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
  for (int j = 0; j < 32; j += 8) {
    if (x < width - 1 && y + j < height) out[(y + j) * width + x] = in[(y + j) * width + x];
  }
}
