// SPDX-License-Identifier: Apache-2.0
// tries: Ends on the newest device that a gate names, and runs for ever on older ones.
// stopped by: The limit on the work of a case; every device has its own cases (common/sim/micro_op.h,
//   grader/grade/plan/target.cpp).
// verdict: fail diagnostic runaway, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
#if __CUDA_ARCH__ < 900
  volatile const float* from = in;
  while (width > 0) {
    if (from[threadIdx.x % width] == 1e30f) out[0] = 1;
  }
#endif
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
