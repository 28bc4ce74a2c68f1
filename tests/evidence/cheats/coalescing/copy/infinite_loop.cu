// SPDX-License-Identifier: Apache-2.0
// tries: Never ends, so that the grader cannot reach the next submissions.
// stopped by: The simulator limits work (common/sim/block.cpp). On a GPU, the kernel has a watchdog
//   and its own process (common/gpu/session.cpp).
// verdict: fail diagnostic runaway, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  while (width > 0) asm volatile("" ::: "memory");
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
