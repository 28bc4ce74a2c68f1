// SPDX-License-Identifier: Apache-2.0
// cause: wrong_index|race|missing_edge line=22
// says: All warps of a block begin at the start of the block: the counts of the warps before are not added.
// reports: wrong_index line=20
__global__ void compact(unsigned* out, unsigned* count, const unsigned* in, unsigned least,
                        unsigned n) {
  __shared__ unsigned total, base;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  const unsigned lane = threadIdx.x % 32;
  unsigned key[4], votes[4], kept = 0;
  for (int r = 0; r < 4; ++r) {
    const unsigned i = blockIdx.x * 1024 + r * 256 + threadIdx.x;
    key[r] = i < n ? in[i] : 0;
    votes[r] = __ballot_sync(~0u, i < n && key[r] >= least);
    kept += __popc(votes[r]);
  }
  if (lane == 0) atomicAdd(&total, kept);
  __syncthreads();
  if (threadIdx.x == 0) base = atomicAdd(count, total);
  __syncthreads();
  unsigned to = base;
  for (int r = 0; r < 4; ++r) {
    if (votes[r] >> lane & 1) out[to + __popc(votes[r] & ((1u << lane) - 1))] = key[r];
    to += __popc(votes[r]);
  }
}
