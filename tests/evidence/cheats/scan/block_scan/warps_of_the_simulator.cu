// SPDX-License-Identifier: Apache-2.0
// tries: Omits the barrier before warps read each other's sums. If warps run in order, earlier ones
//   have already stored theirs.
// stopped by: Accesses of two warps without a barrier between them are a race, in any order
//   (common/check/shared_race.cpp).
// verdict: fail diagnostic race, 0 points
__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ volatile unsigned sums[8];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned first = blockIdx.x * 1024 + warp * 128 + lane;
  unsigned value[4], before = 0;
  for (unsigned j = 0; j < 4; ++j) {
    const unsigned i = first + 32 * j;
    value[j] = i < n ? in[i] : 0;
    for (unsigned d = 1; d < 32; d *= 2) {
      const unsigned other = __shfl_up_sync(0xffffffffu, value[j], d);
      if (lane >= d) value[j] += other;
    }
    value[j] += before;
    before = __shfl_sync(0xffffffffu, value[j], 31);
  }
  if (lane == 31) sums[warp] = before;
  unsigned earlier = 0;
  for (unsigned w = 0; w < warp; ++w) earlier += sums[w];
  for (unsigned j = 0; j < 4; ++j) {
    if (first + 32 * j < n) out[first + 32 * j] = value[j] + earlier;
  }
  if (warp == 7 && lane == 31) totals[blockIdx.x] = before + earlier;
}
