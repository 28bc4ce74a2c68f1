// SPDX-License-Identifier: Apache-2.0
// tries: Assumes the simulator if %globaltimer hardly advances, and does nothing there.
// stopped by: The launch that the simulator executes is also the launch that is checked
//   (grader/grade/execute/simulated_case.cpp).
// verdict: fail incorrect, 0 points
// verdict on a GPU: fail incorrect, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  unsigned long long before, after;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(before));
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(after));
  if (after - before < 1000000000ull) return;
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
