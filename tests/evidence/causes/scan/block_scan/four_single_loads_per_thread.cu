// SPDX-License-Identifier: Apache-2.0
// cause: partial_sectors|uncoalesced_load line=6
// says: The lanes of each load are 16 bytes apart, so each request moves four times the sectors; load the four
//   neighbours as one uint4.
__device__ unsigned or_zero(const unsigned* p, unsigned i, unsigned n) {
  return i < n ? p[i] : 0u;
}

__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned part[8];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned i = blockIdx.x * 1024 + 4 * threadIdx.x;

  uint4 s;
  s.x = or_zero(in, i, n);
  s.y = s.x + or_zero(in, i + 1, n);
  s.z = s.y + or_zero(in, i + 2, n);
  s.w = s.z + or_zero(in, i + 3, n);

  unsigned run = s.w;
  for (unsigned d = 1; d <= 16; d += d) {
    const unsigned l = __shfl_up_sync(0xffffffff, run, d);
    if (lane >= d) run += l;
  }
  if (lane == 31) part[warp] = run;
  __syncthreads();
  unsigned add = run - s.w;
  for (unsigned w = 0; w < warp; ++w) add += part[w];
  s.x += add, s.y += add, s.z += add, s.w += add;

  if (threadIdx.x == 255) totals[blockIdx.x] = s.w;
  if (i + 4 <= n) {
    *reinterpret_cast<uint4*>(&out[i]) = s;
  } else {
    if (i < n) out[i] = s.x;
    if (i + 1 < n) out[i + 1] = s.y;
    if (i + 2 < n) out[i + 2] = s.z;
  }
}
