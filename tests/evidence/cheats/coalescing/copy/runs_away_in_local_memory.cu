// SPDX-License-Identifier: Apache-2.0
// tries: Writes to its local array in an endless loop.
// stopped by: The limit on the work of a case, which charges a request like many instructions
//   (common/sim/micro_op.h, grader/grade/plan/target.cpp).
// verdict: fail diagnostic runaway, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  volatile float stack[1000];
  for (int k = 0; k < 1000; ++k) stack[k] = k;
  unsigned i = threadIdx.x;
  while (width > 0) {
    i = i * 1664525u + 1013904223u;
    stack[i % 1000] = stack[(i >> 4) % 1000] + 1;
  }
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
