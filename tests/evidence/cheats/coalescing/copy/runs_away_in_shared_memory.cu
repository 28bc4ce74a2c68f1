// SPDX-License-Identifier: Apache-2.0
// tries: Stores to shared memory in an endless loop, at words that other threads store to as well.
// stopped by: The limit on the work of a case, which charges a request like many instructions
//   (common/sim/micro_op.h, grader/grade/plan/target.cpp).
// verdict: fail diagnostic runaway, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  __shared__ volatile unsigned cells[2048];
  unsigned i = threadIdx.x * 977 + threadIdx.y;
  while (width > 0) {
    i = i * 1664525u + 1013904223u;
    cells[i % 2048] = i;
  }
  if (cells[5] == 7) out[0] = 1;
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
