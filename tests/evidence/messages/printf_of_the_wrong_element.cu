// SPDX-License-Identifier: Apache-2.0
// exercise: coalescing/copy
// says: by thread (5, 3, 0) of block (0, 0, 0), which writes out[3][5]
// says: | element 5 of row 3
// says: by the other threads
// One element is wrong, and every thread prints.
#include <cstdio>
__global__ void copy(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int j = 0; j < 32; j += 8) {
    const int row = blockIdx.y * 32 + threadIdx.y + j;
    if (column >= width || row >= height) continue;
    out[row * width + column] = in[row * width + column] + (row == 3 && column == 5);
    printf("element %d of row %d\n", column, row);
  }
}
