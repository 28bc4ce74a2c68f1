// SPDX-License-Identifier: Apache-2.0
// cause: missing_guard|wrong_guard line=14
// says: Places behind the end hold 0, which passes if `least` is 0: the ballot must ask for i < n, too.
__global__ void compact(unsigned* out, unsigned* count, const unsigned* in, unsigned least,
                        unsigned n) {
  __shared__ unsigned of_warp[8], start;
  const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  const unsigned first = blockIdx.x * 1024 + warp * 128 + lane;
  unsigned key[4], mask[4], total = 0;
#pragma unroll
  for (int r = 0; r < 4; ++r) key[r] = first + 32 * r < n ? in[first + 32 * r] : 0;
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    mask[r] = __ballot_sync(0xffffffffu, key[r] >= least);
    total += __popc(mask[r]);
  }
  if (lane == 0) of_warp[warp] = total;
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned all = 0;
    for (int w = 0; w < 8; ++w) {
      const unsigned c = of_warp[w];
      of_warp[w] = all;
      all += c;
    }
    start = atomicAdd(count, all);
  }
  __syncthreads();
  unsigned to = start + of_warp[warp];
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    if (mask[r] >> lane & 1) out[to + __popc(mask[r] & ((1u << lane) - 1))] = key[r];
    to += __popc(mask[r]);
  }
}
