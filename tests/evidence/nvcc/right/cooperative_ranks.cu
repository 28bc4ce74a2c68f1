// SPDX-License-Identifier: Apache-2.0
// Ranks, sizes and dimensions of the grid group.
// launch: --kernel ranks --grid 3,2,2 --block 4,3,2 --cooperative --arg out:i32:288 --arg out:i32:12 --arg out:i32:12
#include <cooperative_groups.h>
__global__ void ranks(int* threads, int* blocks, int* facts) {
  auto grid = cooperative_groups::this_grid();
  threads[grid.thread_rank()] =
      threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z + 1000 * grid.thread_index().y;
  const dim3 at = grid.block_index();
  blocks[grid.block_rank()] = at.x + 10 * at.y + 100 * at.z;
  grid.sync();
  if (grid.thread_rank() != 0) return;
  const dim3 blocks_of = grid.dim_blocks();
  const dim3 threads_of = grid.dim_threads();
  const dim3 old = grid.group_dim();
  const int all[12] = {grid.is_valid(),     static_cast<int>(grid.size()),
                       static_cast<int>(grid.num_threads()), static_cast<int>(grid.num_blocks()),
                       static_cast<int>(blocks_of.x), static_cast<int>(blocks_of.y),
                       static_cast<int>(blocks_of.z), static_cast<int>(threads_of.x),
                       static_cast<int>(threads_of.y), static_cast<int>(threads_of.z),
                       static_cast<int>(old.x), blocks[11]};
  for (int i = 0; i < 12; ++i) facts[i] = all[i];
}
