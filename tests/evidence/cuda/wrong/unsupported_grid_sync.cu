// SPDX-License-Identifier: Apache-2.0
// launch: --grid 2 --block 32 --arg out:i32:64
// | unsupported_grid_sync.cu:12:3: unsupported: a barrier of the whole grid (grid.sync()) needs a cooperative launch, and this launch is not cooperative: add --cooperative to warpgrade profile, or cooperative = true to the launch of an exercise (in a program: cudaLaunchCooperativeKernel); or use one launch for each part of the work between barriers
// |    12 |   grid.sync();
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
#include <cooperative_groups.h>

extern "C" __global__ void k(int* out) {
  const auto grid = cooperative_groups::this_grid();
  out[grid.thread_rank()] = 1;
  grid.sync();
  if (grid.thread_rank() == 0) out[0] = out[1] + out[33];
}
