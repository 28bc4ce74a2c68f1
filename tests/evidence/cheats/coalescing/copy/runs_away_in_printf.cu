// SPDX-License-Identifier: Apache-2.0
// tries: Prints a short line 100,000 times in every thread.
// stopped by: The limit on the work of a case, which charges each call of printf and each byte
//   (common/sim/micro_op.h, grader/grade/plan/target.cpp).
// verdict: fail diagnostic runaway, 0 points
#include <cstdio>
__global__ void copy(float* out, const float* in, int width, int height) {
  for (int i = 0; i < 100000; ++i) printf("%d\n", i);
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
