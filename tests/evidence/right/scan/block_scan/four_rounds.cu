// SPDX-License-Identifier: Apache-2.0
// Four rounds of 256 neighbouring elements, one per thread. A carry adds the earlier rounds.
__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned warp_totals[4][8];
  const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  unsigned carry = 0;
  unsigned value[4];
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    const unsigned i = blockIdx.x * 1024 + r * 256 + threadIdx.x;
    value[r] = i < n ? in[i] : 0;
#pragma unroll
    for (int d = 1; d < 32; d <<= 1) {
      const unsigned left = __shfl_up_sync(~0u, value[r], d);
      if (lane >= d) value[r] += left;
    }
    if (lane == 31) warp_totals[r][warp] = value[r];
  }
  __syncthreads();
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    const unsigned of_warp = warp_totals[r][lane & 7];
    const unsigned before = __reduce_add_sync(~0u, lane < warp ? of_warp : 0);
    const unsigned i = blockIdx.x * 1024 + r * 256 + threadIdx.x;
    if (i < n) out[i] = carry + before + value[r];
    carry += __reduce_add_sync(~0u, lane < 8 ? of_warp : 0);
  }
  if (threadIdx.x == 0) totals[blockIdx.x] = carry;
}
