// SPDX-License-Identifier: Apache-2.0
// cub::BlockScan over four ballots of keys that are a block apart.
#include <cub/cub.cuh>

__global__ void compact(unsigned* out, unsigned* count, const unsigned* in, unsigned least,
                        unsigned n) {
  using Scan = cub::BlockScan<unsigned, 32>;
  __shared__ typename Scan::TempStorage storage;
  __shared__ unsigned counts[32], begin;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned first = blockIdx.x * 1024 + threadIdx.x;
  unsigned keys[4], ballots[4];
  for (unsigned round = 0; round < 4; ++round) {
    const unsigned i = first + round * 256;
    keys[round] = i < n ? in[i] : 0;
    ballots[round] = __ballot_sync(0xffffffffu, i < n && keys[round] >= least);
    if (lane == 0) counts[round * 8 + warp] = __popc(ballots[round]);
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    unsigned before = 0, total = 0;
    Scan(storage).ExclusiveSum(counts[lane], before, total);
    counts[lane] = before;
    if (lane == 0) begin = atomicAdd(count, total);
  }
  __syncthreads();
  for (unsigned round = 0; round < 4; ++round) {
    const unsigned to = begin + counts[round * 8 + warp];
    const unsigned below = ballots[round] & ((1u << lane) - 1);
    if (ballots[round] >> lane & 1) out[to + __popc(below)] = keys[round];
  }
}
