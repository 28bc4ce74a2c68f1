// SPDX-License-Identifier: Apache-2.0
// fails: incorrect
// cause: race line=15
// Each warp takes a place of its own in each round, so the keys of a block are not in one piece
// and in order.
__global__ void compact(unsigned* out, unsigned* count, const unsigned* in, unsigned least,
                        unsigned n) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned first = blockIdx.x * 1024 + threadIdx.x;
  for (unsigned round = 0; round < 4; ++round) {
    const unsigned i = first + round * 256, key = i < n ? in[i] : 0;
    const bool is_kept = i < n && key >= least;
    const unsigned ballot = __ballot_sync(0xffffffffu, is_kept);
    unsigned to = 0;
    if (lane == 0) to = atomicAdd(count, __popc(ballot));
    to = __shfl_sync(0xffffffffu, to, 0);
    if (is_kept) out[to + __popc(ballot & ((1u << lane) - 1))] = key;
  }
}
