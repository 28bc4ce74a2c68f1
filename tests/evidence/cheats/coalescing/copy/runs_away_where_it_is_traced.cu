// SPDX-License-Identifier: Apache-2.0
// tries: Makes three million loads per thread in the large case, so that the time model's trace
//   fills the memory.
// stopped by: The limit on the work of a case, which charges more for instructions and requests
//   that the time model traces (common/sim/micro_op.h, grader/grade/plan/target.cpp).
// verdict: fail diagnostic runaway, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  volatile const float* from = in;
  if (width == 2048) {
    float sum = 0;
    for (int i = 0; i < 3000000; ++i) sum += from[threadIdx.x];
    if (sum == 1e30f) out[0] = sum;
  }
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
