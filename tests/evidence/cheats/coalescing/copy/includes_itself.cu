// SPDX-License-Identifier: Apache-2.0
// tries: Includes itself without end.
// stopped by: The preprocessor limits the depth of includes (a limit of the compiler itself).
// verdict: fail compile, 0 points
#include "includes_itself.cu"
__global__ void copy(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
