// SPDX-License-Identifier: Apache-2.0
// A bitonic sort over all blocks, with a grid barrier after each pass.
// launch: --kernel sort --grid 4 --block 64 --cooperative --arg inout:i32:512:iota --arg i32:512
#include <cooperative_groups.h>
__global__ void sort(int* keys, int n) {
  auto grid = cooperative_groups::this_grid();
  for (int i = grid.thread_rank(); i < n; i += grid.size()) {
    keys[i] = static_cast<int>(static_cast<unsigned>(keys[i]) * 2654435761U >> 1);
  }
  for (int size = 2; size <= n; size *= 2) {
    for (int step = size / 2; step > 0; step /= 2) {
      grid.sync();
      const int pair = static_cast<int>(grid.thread_rank());
      const int low = pair / step * 2 * step + pair % step;
      const bool up = (low & size) == 0;
      const int a = keys[low], b = keys[low + step];
      if ((a > b) == up) {
        keys[low] = b;
        keys[low + step] = a;
      }
    }
  }
}
