// SPDX-License-Identifier: Apache-2.0
// tries: Declares a file of the course by .file in inline assembly.
// stopped by: Directives that name source positions are refused in inline assembly
//   (common/compile/program.cpp).
// verdict: fail compile, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  asm volatile(".file 7 \"labs/coalescing/reference.cu\"");
  const int row = blockIdx.y * 32 + threadIdx.x;
  const int column = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    if (row < height && column + j < width) {
      out[row * width + column + j] = in[row * width + column + j];
    }
  }
}
