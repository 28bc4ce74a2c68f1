// SPDX-License-Identifier: Apache-2.0
// Cooperative groups: a tile of 32 threads, its ballot, and its exclusive scan.
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

__global__ void compact(unsigned* out, unsigned* count, const unsigned* in, unsigned least,
                        unsigned n) {
  __shared__ unsigned counts[32], begin;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned first = blockIdx.x * 1024 + threadIdx.x;
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<32>(block);
  unsigned keys[4], ballots[4];
  for (unsigned round = 0; round < 4; ++round) {
    const unsigned i = first + round * 256;
    keys[round] = i < n ? in[i] : 0;
    ballots[round] = tile.ballot(i < n && keys[round] >= least);
    if (lane == 0) counts[round * 8 + warp] = __popc(ballots[round]);
  }
  block.sync();
  const unsigned own = counts[lane];
  const unsigned sums = cg::inclusive_scan(tile, own);
  if (threadIdx.x == 31) begin = atomicAdd(count, sums);
  block.sync();
  for (unsigned round = 0; round < 4; ++round) {
    const unsigned to = begin + tile.shfl(sums - own, round * 8 + warp);
    const unsigned below = ballots[round] & ((1u << lane) - 1);
    if (ballots[round] >> lane & 1) out[to + __popc(below)] = keys[round];
  }
}
