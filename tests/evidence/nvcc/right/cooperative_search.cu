// SPDX-License-Identifier: Apache-2.0
// A breadth-first search, level by level, until no block finds a new node.
// launch: --kernel levels --grid 4 --block 32 --cooperative --arg inout:i32:500:zeros --arg inout:i32:2:zeros --arg i32:500
#include <cooperative_groups.h>
__global__ void levels(int* level, int* found, int n) {
  auto grid = cooperative_groups::this_grid();
  if (grid.thread_rank() == 0) level[0] = 1;
  grid.sync();
  for (int now = 1;; ++now) {
    for (int i = grid.thread_rank(); i < n; i += grid.size()) {
      if (*static_cast<volatile int*>(&level[i]) != now) continue;
      const int next[2] = {(3 * i + 1) % n, (i + 7) % n};
      for (int to : next) {
        if (atomicCAS(&level[to], 0, now + 1) == 0) atomicAdd(&found[now % 2], 1);
      }
    }
    grid.sync();
    const int more = found[now % 2];
    if (grid.thread_rank() == 0) found[(now + 1) % 2] = 0;
    grid.sync();
    if (more == 0) break;
  }
}
