// SPDX-License-Identifier: Apache-2.0
// Exercise sort/compact, solved: ballots, 32 counts per block, and one atomic.
//
// Thread t owns the keys t, t + 256, t + 512 and t + 768 of the block, so the lanes of a warp load
// neighbouring keys. A ballot shows each lane which keys of its warp stay: their number is the
// warp's count, and the number below the lane is the lane's place. The block has 32 counts, of four
// rounds and eight warps. Every warp scans them by shuffles behind the first barrier. One thread
// takes a piece of the output for the whole block; the second barrier tells the others where it
// begins. Each warp then stores its kept keys of a round side by side.

constexpr unsigned kPart = 1024;  // keys per block
constexpr unsigned kRounds = 4;
constexpr unsigned kWarps = 8;

__global__ void compact(unsigned* out, unsigned* count, const unsigned* in, unsigned least,
                        unsigned n) {
  __shared__ unsigned counts[kRounds * kWarps], begin;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned first = blockIdx.x * kPart + threadIdx.x;

  unsigned keys[kRounds], ballots[kRounds];
#pragma unroll
  for (unsigned round = 0; round < kRounds; ++round) {
    const unsigned i = first + round * kWarps * 32;
    keys[round] = i < n ? in[i] : 0;
  }
#pragma unroll
  for (unsigned round = 0; round < kRounds; ++round) {
    const bool is_kept = first + round * kWarps * 32 < n && keys[round] >= least;
    ballots[round] = __ballot_sync(0xffffffffu, is_kept);
    if (lane == 0) counts[round * kWarps + warp] = __popc(ballots[round]);
  }
  __syncthreads();

  unsigned sums = counts[lane];  // after the loop: kept keys up to the lane's round and warp
  const unsigned own = sums;
  for (unsigned step = 1; step < 32; step *= 2) {
    const unsigned left = __shfl_up_sync(0xffffffffu, sums, step);
    if (lane >= step) sums += left;
  }
  if (threadIdx.x == 31) begin = atomicAdd(count, sums);
  __syncthreads();

  const unsigned before = begin + sums - own, below = (1u << lane) - 1;
#pragma unroll
  for (unsigned round = 0; round < kRounds; ++round) {
    const unsigned to = __shfl_sync(0xffffffffu, before, round * kWarps + warp);
    if (ballots[round] >> lane & 1) out[to + __popc(ballots[round] & below)] = keys[round];
  }
}
