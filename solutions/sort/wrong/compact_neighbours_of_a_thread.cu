// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=loads_coalesced
// cause: partial_sectors
// A thread owns four neighbouring keys and loads and stores them word by word.
__global__ void compact(unsigned* out, unsigned* count, const unsigned* in, unsigned least,
                        unsigned n) {
  __shared__ unsigned totals[8], begin;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned first = blockIdx.x * 1024 + threadIdx.x * 4;
  unsigned kept = 0;
  for (unsigned i = first; i < first + 4; ++i) {
    if (i < n && in[i] >= least) ++kept;
  }
  unsigned sums = kept;
  for (unsigned step = 1; step < 32; step *= 2) {
    const unsigned left = __shfl_up_sync(0xffffffffu, sums, step);
    if (lane >= step) sums += left;
  }
  if (lane == 31) totals[warp] = sums;
  __syncthreads();
  unsigned before = sums - kept, total = 0;
  for (unsigned w = 0; w < 8; ++w) {
    if (w < warp) before += totals[w];
    total += totals[w];
  }
  if (threadIdx.x == 0) begin = atomicAdd(count, total);
  __syncthreads();
  for (unsigned i = first; i < first + 4; ++i) {
    if (i < n && in[i] >= least) out[begin + before++] = in[i];
  }
}
