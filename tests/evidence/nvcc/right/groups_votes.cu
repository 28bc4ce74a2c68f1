// SPDX-License-Identifier: Apache-2.0
// Votes of a tile.
// launch: --kernel votes --grid 1 --block 32 --arg in:u32:32:iota --arg out:u32:128
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void votes(const unsigned* in, unsigned* out) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const unsigned x = in[threadIdx.x];
  out[threadIdx.x] = tile.ballot(x & 1);
  out[32 + threadIdx.x] = tile.any(x == 9);
  out[64 + threadIdx.x] = tile.all(x < 16);
  out[96 + threadIdx.x] = tile.match_any(x / 3);
}
