// SPDX-License-Identifier: Apache-2.0
// tries: Stores 67 million times to one element in the first block.
// stopped by: The limit on the work of a case, which charges a request like many instructions
//   (common/sim/micro_op.h, grader/grade/plan/target.cpp).
// verdict: fail diagnostic runaway, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  volatile float* first = out;
  if (blockIdx.x + blockIdx.y == 0) {
    for (int i = 0; i < 1 << 26; ++i) first[0] = i;
  }
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
