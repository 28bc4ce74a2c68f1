// SPDX-License-Identifier: Apache-2.0
// tries: Stops the kernel by trap before it does any work, so that it takes little time.
// stopped by: A trap is a diagnostic (common/sim/exec/control.cpp, common/gpu/platform.cpp).
// verdict: fail diagnostic trap, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  if (width >= 1024) asm volatile("trap;");
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
