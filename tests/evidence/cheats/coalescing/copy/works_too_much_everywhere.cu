// SPDX-License-Identifier: Apache-2.0
// tries: Makes 10,000 loads per thread in the large case, although no block is endless.
// stopped by: The limit on the work of a case, which all blocks of a launch share
//   (common/sim/micro_op.h, grader/grade/plan/target.cpp).
// verdict: fail diagnostic runaway, 0 points
// slow: uses half of the time limit of a grade
__global__ void copy(float* out, const float* in, int width, int height) {
  volatile const float* from = in;
  float sum = 0;
  unsigned i = threadIdx.x * 977;
  for (int k = 0; k < 10000 && width == 2048; ++k) {
    i = i * 1664525u + 1013904223u;
    sum += from[i % unsigned(width * height)];
  }
  if (sum == 1e30f) out[0] = sum;
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
