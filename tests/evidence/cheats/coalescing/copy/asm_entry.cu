// SPDX-License-Identifier: Apache-2.0
// tries: Closes the kernel in inline assembly and begins a second entry.
// stopped by: Directives that begin functions are refused in inline assembly
//   (common/compile/program.cpp).
// verdict: fail compile, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
  asm volatile("ret; }\n.visible .entry copy_fast() {\n ret;");
}
