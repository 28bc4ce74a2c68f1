// SPDX-License-Identifier: Apache-2.0
// Twenty stencil steps in one launch, each ended by a grid barrier.
// launch: --kernel steps --grid 6 --block 64 --cooperative --arg inout:i32:384:iota --arg inout:i32:384:zeros --arg i32:20
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void steps(int* a, int* b, int count) {
  auto grid = cg::this_grid();
  const int i = static_cast<int>(grid.thread_rank());
  const int n = static_cast<int>(grid.size());
  for (int step = 0; step < count; ++step) {
    b[i] = 3 * a[(i + n - 1) % n] - 2 * a[i] + a[(i + 1) % n] + step;
    grid.sync();
    int* swap = a;
    a = b;
    b = swap;
  }
}
