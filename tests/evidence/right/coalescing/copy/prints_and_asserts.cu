// SPDX-License-Identifier: Apache-2.0
// Debug code left in: one thread prints the sizes, and every thread asserts its index.
#include <assert.h>
#include <stdio.h>

__global__ void copy(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  if (x == 0 && blockIdx.y == 0 && threadIdx.y == 0) printf("copy %d x %d\n", width, height);
  for (int y = blockIdx.y * 32 + threadIdx.y; y < blockIdx.y * 32 + 32; y += 8) {
    if (x < width && y < height) {
      const int i = y * width + x;
      assert(i >= 0 && i < width * height);
      out[i] = in[i];
    }
  }
}
