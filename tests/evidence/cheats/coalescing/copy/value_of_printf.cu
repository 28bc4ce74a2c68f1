// SPDX-License-Identifier: Apache-2.0
// tries: Detects the simulator by printf: the first thread works only if the result is not the
//   number of arguments.
// stopped by: printf returns the number of arguments, as on a GPU (common/sim/exec/intrinsic.cpp).
// verdict: fail incorrect, 0 points
#include <cstdio>
__global__ void copy(float* out, const float* in, int width, int height) {
  const int first = blockIdx.x + blockIdx.y + threadIdx.x + threadIdx.y;
  if (first == 0 && printf("%d %d\n", 1, 2) != 2) out[0] = in[0];
  if (first == 0) return;
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
