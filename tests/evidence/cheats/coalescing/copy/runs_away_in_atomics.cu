// SPDX-License-Identifier: Apache-2.0
// tries: Adds to random elements of the output in an endless loop.
// stopped by: The limit on the work of a case, which charges an atomic for each of its lanes
//   (common/sim/micro_op.h, grader/grade/plan/target.cpp).
// verdict: fail diagnostic runaway, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  unsigned i = threadIdx.x * 977;
  while (width > 0) {
    i = i * 1664525u + 1013904223u;
    atomicAdd(&out[i % unsigned(width * height)], 1.0f);
  }
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
