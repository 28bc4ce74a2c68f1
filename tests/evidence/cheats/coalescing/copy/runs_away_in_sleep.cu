// SPDX-License-Identifier: Apache-2.0
// tries: Sleeps until the input changes.
// stopped by: The limit on the work of a case, which counts every iteration (common/sim/micro_op.h,
//   grader/grade/plan/target.cpp).
// verdict: fail diagnostic runaway, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  while (*(volatile const float*)in != 1e30f) __nanosleep(1000);
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
