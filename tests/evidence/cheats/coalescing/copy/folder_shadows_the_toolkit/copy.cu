// SPDX-License-Identifier: Apache-2.0
// tries: Hands in a folder with a header of the toolkit's name, which the file includes from there, so
//   that the copy down columns may look like one along rows.
// stopped by: The name changes nothing in what the compiler makes of it, which is what is counted
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
