// SPDX-License-Identifier: Apache-2.0
// A barrier of the whole grid.
// launch: --kernel phases --grid 4 --block 32 --cooperative --arg inout:i32:128:iota --arg out:i32:128
#include <cooperative_groups.h>
__global__ void phases(int* data, int* out) {
  auto grid = cooperative_groups::this_grid();
  const int i = grid.thread_rank();
  data[i] *= 3;
  grid.sync();
  out[i] = data[grid.size() - 1 - i];
}
