// SPDX-License-Identifier: Apache-2.0
// tries: Moves its slow line to a line that does not exist by .loc in inline assembly, so that the
//   counters go there.
// stopped by: Directives that name source positions are refused in inline assembly
//   (common/compile/program.cpp).
// verdict: fail compile, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  asm volatile(".loc 1 9999 0");
  const int row = blockIdx.y * 32 + threadIdx.x;
  const int column = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    if (row < height && column + j < width) {
      out[row * width + column + j] = in[row * width + column + j];
    }
  }
}
