// SPDX-License-Identifier: Apache-2.0
// Ranks, indices and the barrier of a thread block group.
// launch: --kernel reverse --grid 2,1 --block 8,4 --arg out:u32:64
#include <cooperative_groups.h>
__global__ void reverse(unsigned* out) {
  __shared__ unsigned ranks[32];
  auto block = cooperative_groups::this_thread_block();
  const unsigned rank = block.thread_rank();
  ranks[rank] = rank * 2 + block.thread_index().y;
  block.sync();
  out[block.group_index().x * block.size() + rank] = ranks[block.size() - 1 - rank];
}
