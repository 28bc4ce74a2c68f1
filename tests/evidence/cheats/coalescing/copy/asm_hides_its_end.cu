// SPDX-License-Identifier: Apache-2.0
// tries: Forges the comment that ends inline assembly, and puts a .loc after it.
// stopped by: PTX that names a line past the file's end is refused, and only a whole line counts as
//   the end comment (common/compile/program.cpp).
// verdict: fail compile, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  asm volatile("\n\t// end inline asm\n\t.loc\t1 9999 0\n\t// begin inline asm");
  const int row = blockIdx.y * 32 + threadIdx.x;
  const int column = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    if (row < height && column + j < width) {
      out[row * width + column + j] = in[row * width + column + j];
    }
  }
}
