// SPDX-License-Identifier: Apache-2.0
// tries: Submits a folder whose header has the name of a toolkit header. The header makes the copy
//   down columns look like a copy along rows.
// stopped by: The name does not change the compiled code, and the counters count that code
//   (common/memory/counters.cpp).
// verdict: fail mechanism, 2 points
#include <cooperative_groups.h>
__global__ void copy(float* out, const float* in, int width, int height) {
  const int row = 32 * blockIdx.y + lane_of_a_row();
  for (int j = 0; j < 32; j += 8) {
    const int column = 32 * blockIdx.x + threadIdx.y + j;
    if (row < height && column < width) out[row * width + column] = in[row * width + column];
  }
}
