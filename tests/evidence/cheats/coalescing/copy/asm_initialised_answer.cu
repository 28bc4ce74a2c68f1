// SPDX-License-Identifier: Apache-2.0
// tries: Stores an answer in initialised global data that inline assembly declares.
// stopped by: Inline assembly must not declare variables of the module
//   (common/compile/program.cpp).
// verdict: fail compile compile_error, 0 points
// verdict on a GPU: any, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  unsigned bits;
  asm volatile("{ .global .u32 answer[2] = {0x40500000, 0x3f800000}; ld.global.u32 %0, [answer]; }"
               : "=r"(bits));
  if (width == 1 && height == 1) {
    out[0] = __uint_as_float(bits);
    return;
  }
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
