// SPDX-License-Identifier: Apache-2.0
// fails: incorrect
// cause: wrong_index
// Orders the counts by warp, then by round, so the keys are in another order.
__global__ void compact(unsigned* out, unsigned* count, const unsigned* in, unsigned least,
                        unsigned n) {
  __shared__ unsigned counts[32], begin;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned first = blockIdx.x * 1024 + threadIdx.x;
  unsigned keys[4], ballots[4];
  for (unsigned round = 0; round < 4; ++round) {
    const unsigned i = first + round * 256;
    keys[round] = i < n ? in[i] : 0;
    ballots[round] = __ballot_sync(0xffffffffu, i < n && keys[round] >= least);
    if (lane == 0) counts[warp * 4 + round] = __popc(ballots[round]);
  }
  __syncthreads();
  unsigned sums = counts[lane];
  const unsigned own = sums;
  for (unsigned step = 1; step < 32; step *= 2) {
    const unsigned left = __shfl_up_sync(0xffffffffu, sums, step);
    if (lane >= step) sums += left;
  }
  if (threadIdx.x == 31) begin = atomicAdd(count, sums);
  __syncthreads();
  for (unsigned round = 0; round < 4; ++round) {
    const unsigned to = begin + __shfl_sync(0xffffffffu, sums - own, warp * 4 + round);
    const unsigned below = ballots[round] & ((1u << lane) - 1);
    if (ballots[round] >> lane & 1) out[to + __popc(below)] = keys[round];
  }
}
