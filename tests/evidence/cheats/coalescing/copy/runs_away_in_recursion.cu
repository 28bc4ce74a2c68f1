// SPDX-License-Identifier: Apache-2.0
// tries: Computes by a recursion in which each call makes two more.
// stopped by: The limit on the work of a case, which charges a call like many instructions
//   (common/sim/micro_op.h, grader/grade/plan/target.cpp).
// verdict: fail diagnostic runaway, 0 points
// verdict on a GPU: fail diagnostic out_of_bounds, 0 points
__device__ __noinline__ int calls(int depth, int* last) {
  volatile int frame[64];
  frame[depth & 63] = depth;
  if (depth <= 0) return *last;
  return calls(depth - 1, last) + calls(depth - 2, last) + frame[depth & 63];
}
__global__ void copy(float* out, const float* in, int width, int height) {
  int zero = 0;
  if (calls(45, &zero) == 12345) out[0] = 1;
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
