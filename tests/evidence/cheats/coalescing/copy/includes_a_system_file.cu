// SPDX-License-Identifier: Apache-2.0
// tries: Includes /etc/passwd through a macro, so that error messages quote it.
// stopped by: The compiler sees only the toolkit and the submission's own folder
//   (common/compile/include_guard.cpp).
// verdict: fail compile, 0 points
// hides: root:
#define PATH(x) </etc/x>
#include PATH(passwd)
__global__ void copy(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
