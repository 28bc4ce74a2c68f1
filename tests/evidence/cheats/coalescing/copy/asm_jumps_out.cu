// SPDX-License-Identifier: Apache-2.0
// tries: Jumps from one piece of inline assembly to a label in another, past the work.
// stopped by: The simulator follows the control flow of the PTX, and elements that no thread writes
//   keep their poison (common/ptx/control_flow.cpp).
// verdict: fail incorrect, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  asm volatile("{ .reg .pred far; setp.ge.s32 far, %0, 1024; @far bra $past; }" ::"r"(width));
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
  asm volatile("$past:");
}
