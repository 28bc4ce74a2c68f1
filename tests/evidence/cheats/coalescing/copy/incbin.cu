// SPDX-License-Identifier: Apache-2.0
// tries: Makes the assembler include a file.
// stopped by: PTX has no such directive, and the assembler runs in the guarded process
//   (common/compile/compiler_process.cpp).
// verdict: fail compile, 0 points
// hides: root:
__global__ void copy(float* out, const float* in, int width, int height) {
  asm volatile(".incbin \"/etc/passwd\";");
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
