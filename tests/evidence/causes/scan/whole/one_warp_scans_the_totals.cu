// SPDX-License-Identifier: Apache-2.0
// cause: few_blocks|few_loads_in_flight line=60
// says: One warp scans all totals, 32 at a time with one load in flight, while 31 warps and 131 multiprocessors
//   idle; let all 1024 threads own several totals.
#define FULL 0xffffffffu

__device__ unsigned lanes(unsigned v) {
#pragma unroll
  for (unsigned d = 1; d < 32; d *= 2) {
    unsigned l = __shfl_up_sync(FULL, v, d);
    if (threadIdx.x % 32 < d) l = 0;
    v += l;
  }
  return v;
}

__device__ uint4 load(const unsigned* p, unsigned i, unsigned n) {
  uint4 q = {0, 0, 0, 0};
  if (i + 4 <= n) q = *reinterpret_cast<const uint4*>(p + i);
  else {
    if (i < n) q.x = p[i];
    if (i + 1 < n) q.y = p[i + 1];
    if (i + 2 < n) q.z = p[i + 2];
  }
  return q;
}

__device__ void store(unsigned* p, unsigned i, unsigned n, uint4 q) {
  if (i + 4 <= n) *reinterpret_cast<uint4*>(p + i) = q;
  else {
    if (i < n) p[i] = q.x;
    if (i + 1 < n) p[i + 1] = q.y;
    if (i + 2 < n) p[i + 2] = q.z;
  }
}

__device__ uint4 plus(uint4 q, unsigned a) { return make_uint4(q.x + a, q.y + a, q.z + a, q.w + a); }

__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned sums[8];
  const unsigned i = blockIdx.x * 1024 + threadIdx.x * 4, warp = threadIdx.x / 32;
  uint4 q = load(in, i, n);
  q.y += q.x;
  q.z += q.y;
  q.w += q.z;
  const unsigned upto = lanes(q.w);
  if (threadIdx.x % 32 == 31) sums[warp] = upto;
  __syncthreads();
  unsigned before = upto - q.w;
  for (unsigned w = 0; w < warp; ++w) before += sums[w];
  store(out, i, n, plus(q, before));
  if (threadIdx.x == 255) totals[blockIdx.x] = before + q.w;
}

__global__ void scan_totals(unsigned* totals, unsigned blocks) {
  if (threadIdx.x >= 32) return;
  unsigned carry = 0;
  for (unsigned b = 0; b < blocks; b += 32) {
    const unsigned i = b + threadIdx.x;
    const unsigned s = carry + lanes(i < blocks ? totals[i] : 0);
    if (i < blocks) totals[i] = s;
    carry = __shfl_sync(FULL, s, 31);
  }
}

__global__ void add_totals(unsigned* out, const unsigned* totals, unsigned n) {
  if (blockIdx.x == 0) return;
  const unsigned i = blockIdx.x * 1024 + threadIdx.x * 4;
  store(out, i, n, plus(load(out, i, n), totals[blockIdx.x - 1]));
}
