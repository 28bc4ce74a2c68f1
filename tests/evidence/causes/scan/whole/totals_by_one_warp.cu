// SPDX-License-Identifier: Apache-2.0
// cause: few_loads_in_flight|few_blocks line=47
// says: One warp walks over the totals 32 at a time and waits for each load, while the rest of
//   the card is idle: let all 1,024 threads load several totals.
// never: Neighbouring lanes must load
__device__ unsigned warp_scan(unsigned v) {
  for (unsigned step = 1; step < 32; step *= 2) {
    const unsigned left = __shfl_up_sync(~0u, v, step);
    if (threadIdx.x % 32 >= step) v += left;
  }
  return v;
}

__device__ uint4 load(const unsigned* p, unsigned i, unsigned n) {
  if (i + 3 < n) return *(const uint4*)(p + i);
  return {i < n ? p[i] : 0, i + 1 < n ? p[i + 1] : 0, i + 2 < n ? p[i + 2] : 0, 0};
}

__device__ void store(unsigned* p, unsigned i, unsigned n, uint4 v, unsigned more) {
  v.x += more, v.y += more, v.z += more, v.w += more;
  if (i + 3 < n) { *(uint4*)(p + i) = v; return; }
  if (i < n) p[i] = v.x;
  if (i + 1 < n) p[i + 1] = v.y;
  if (i + 2 < n) p[i + 2] = v.z;
}

__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned of_warps[8];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned first = blockIdx.x * 1024 + threadIdx.x * 4;
  uint4 v = load(in, first, n);
  v.y += v.x, v.z += v.y, v.w += v.z;
  const unsigned inclusive = warp_scan(v.w);
  if (lane == 31) of_warps[warp] = inclusive;
  __syncthreads();
  unsigned before = inclusive - v.w;
  for (unsigned w = 0; w < warp; ++w) before += of_warps[w];
  store(out, first, n, v, before);
  if (threadIdx.x == 255) totals[blockIdx.x] = before + v.w;
}

__global__ void scan_totals(unsigned* totals, unsigned blocks) {
  if (threadIdx.x >= 32) return;
  unsigned carry = 0;
#pragma unroll 1
  for (unsigned b = threadIdx.x; b < (blocks + 31) / 32 * 32; b += 32) {
    const unsigned v = warp_scan(b < blocks ? totals[b] : 0);
    if (b < blocks) totals[b] = carry + v;
    carry += __shfl_sync(~0u, v, 31);
  }
}

__global__ void add_totals(unsigned* out, const unsigned* totals, unsigned n) {
  if (blockIdx.x == 0) return;
  const unsigned first = blockIdx.x * 1024 + threadIdx.x * 4;
  store(out, first, n, load(out, first, n), totals[blockIdx.x - 1]);
}
