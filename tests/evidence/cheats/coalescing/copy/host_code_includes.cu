// SPDX-License-Identifier: Apache-2.0
// tries: Includes files of the machine and of the course for its host code, to get them quoted or
//   to learn whether they exist.
// stopped by: Outside files do not exist for the compiler (common/compile/include_guard.cpp). All
//   of them are left out alike, and the rest is honest.
// verdict: pass, 10 points
// hides: root:
#include "/etc/passwd"
#include "/etc/is_not_there"
#include "../../../../solutions/coalescing/copy.cu"
int main() {}
__global__ void copy(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
