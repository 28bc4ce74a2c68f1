// SPDX-License-Identifier: Apache-2.0
// cause: wrong_operation|wrong_index line=32
// says: The mask of lower lanes includes the lane itself: each key goes one place too far.
__global__ void compact(unsigned* out, unsigned* count, const unsigned* in, unsigned least,
                        unsigned n) {
  __shared__ unsigned sums[8], start;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned base = blockIdx.x * 1024 + warp * 128 + lane;
  unsigned key[4], votes[4], mine = 0;
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    const unsigned i = base + 32 * r;
    key[r] = i < n ? in[i] : 0;
    votes[r] = __ballot_sync(~0u, i < n && key[r] >= least);
    mine += __popc(votes[r]);
  }
  if (lane == 0) sums[warp] = mine;
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned total = 0;
    for (int w = 0; w < 8; ++w) {
      const unsigned s = sums[w];
      sums[w] = total;
      total += s;
    }
    start = atomicAdd(count, total);
  }
  __syncthreads();
  unsigned to = start + sums[warp];
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    const unsigned lower = (2u << lane) - 1;
    if (votes[r] & (1u << lane)) out[to + __popc(votes[r] & lower)] = key[r];
    to += __popc(votes[r]);
  }
}
