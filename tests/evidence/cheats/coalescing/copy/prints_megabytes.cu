// SPDX-License-Identifier: Apache-2.0
// tries: Prints without limit, to bury the report or to fill the disk.
// stopped by: The output of a launch is cut at 1 MiB (common/sim/simulator.cpp,
//   common/gpu/worker.cpp); the report shows its first lines (grader/report/render_text.cpp).
// verdict: fail incorrect, 0 points
#include <cstdio>
__global__ void copy(float* out, const float* in, int width, int height) {
  if (blockIdx.x + blockIdx.y != 0) return;
  for (int i = 0; i < 64; ++i) {
    printf("%s\n", "a line that is long enough to be a nuisance, over and over and over and over");
  }
}
