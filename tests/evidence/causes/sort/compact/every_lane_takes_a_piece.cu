// SPDX-License-Identifier: Apache-2.0
// cause: wrong_guard|race|wrong_operation line=19
// says: All 32 lanes of the last warp add the count of the block, not one thread: pieces have gaps, and the
//   count is too large.
__global__ void compact(unsigned* out, unsigned* count, const unsigned* in, unsigned least,
                        unsigned n) {
  __shared__ unsigned warp_count[8], start;
  const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  const unsigned base = blockIdx.x * 1024 + warp * 128 + lane;
  unsigned key[4], mask[4], kept = 0;
  for (unsigned r = 0; r < 4; ++r) {
    const unsigned i = base + 32 * r;
    key[r] = i < n ? in[i] : 0;
    mask[r] = __ballot_sync(0xffffffff, i < n && key[r] >= least);
    kept += __popc(mask[r]);
  }
  if (lane == 0) warp_count[warp] = kept;
  __syncthreads();
  if (warp == 7) {
    unsigned all = 0;
    for (unsigned w = 0; w < 8; ++w) all += warp_count[w];
    start = atomicAdd(count, all);
  }
  __syncthreads();
  unsigned to = start;
  for (unsigned w = 0; w < warp; ++w) to += warp_count[w];
  for (unsigned r = 0; r < 4; ++r) {
    if (mask[r] >> lane & 1) out[to + __popc(mask[r] & ((1u << lane) - 1))] = key[r];
    to += __popc(mask[r]);
  }
}
