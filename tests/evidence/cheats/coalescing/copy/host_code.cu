// SPDX-License-Identifier: Apache-2.0
// tries: Adds a constructor and main(), to be run by the grader itself.
// stopped by: Host functions are refused; nothing of a submission ever runs on the host
//   (common/compile/compiler.cpp).
// verdict: fail compile, 0 points
#include <cstdio>
int main() {
  printf("PASS");
  return 0;
}
__global__ void copy(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
