// SPDX-License-Identifier: Apache-2.0
// tries: Loads from all over the input without end.
// stopped by: A limit on the work of a case, in which a request counts for many instructions, and
//   each lane that lies elsewhere (common/sim/work.h, grader/grade/plan/work_limits.cpp).
// verdict: fail diagnostic runaway, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  volatile const float* from = in;
  float sum = 0;
  unsigned i = threadIdx.x * 977;
  while (width > 0) {
    i = i * 1664525u + 1013904223u;
    sum += from[i % unsigned(width * height)];
    if (sum == 1e30f) out[0] = sum;
  }
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
