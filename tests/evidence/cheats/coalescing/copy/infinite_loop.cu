// SPDX-License-Identifier: Apache-2.0
// tries: Never ends, to keep the grader from grading those behind it.
// stopped by: A limit on work on the simulator (common/sim/block.cpp), a watchdog and a
//   process of its own on a GPU (common/gpu/session.cpp).
// verdict: fail diagnostic runaway, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  while (width > 0) asm volatile("" ::: "memory");
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
