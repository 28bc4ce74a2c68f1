// SPDX-License-Identifier: Apache-2.0
// tries: Finds its rows by %warpid and assumes that it is the number of the warp in its block, as
//   on the simulator.
// stopped by: If the number differs, elements are missing. On the simulator this kernel is right
//   (common/verify/compare.cpp).
// verdict: pass, 10 points
// verdict on a GPU: any, 10 points
__global__ void copy(float* out, const float* in, int width, int height) {
  unsigned warp;
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + warp; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
