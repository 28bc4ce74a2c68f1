// SPDX-License-Identifier: Apache-2.0
// The rank of a tile within its block.
// launch: --kernel places --grid 1 --block 64 --arg out:u32:64
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void places(unsigned* out) {
  auto tile = cg::tiled_partition<4>(cg::this_thread_block());
  out[threadIdx.x] = tile.meta_group_rank() * 100 + tile.meta_group_size();
}
