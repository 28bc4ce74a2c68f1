// SPDX-License-Identifier: Apache-2.0
// cause: redundant_loads line=50
// says: Each block loads all totals before it and adds them up again; scan the totals once in scan_totals, then a
//   block needs one of them.
__device__ uint4 four(const unsigned* p, unsigned i, unsigned n) {
  if (i + 4 <= n) return *reinterpret_cast<const uint4*>(p + i);
  uint4 q{};
  if (i < n) q.x = p[i];
  if (i + 1 < n) q.y = p[i + 1];
  if (i + 2 < n) q.z = p[i + 2];
  return q;
}

__device__ void four(unsigned* p, unsigned i, unsigned n, uint4 q) {
  if (i + 4 <= n) {
    *reinterpret_cast<uint4*>(p + i) = q;
    return;
  }
  if (i < n) p[i] = q.x;
  if (i + 1 < n) p[i + 1] = q.y;
  if (i + 2 < n) p[i + 2] = q.z;
}

__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned s[8];
  const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  const unsigned i = (blockIdx.x << 10) + (threadIdx.x << 2);
  uint4 q = four(in, i, n);
  q.y += q.x;
  q.z += q.y;
  q.w += q.z;
  unsigned v = q.w;
  for (unsigned d = 1; d < 32; d <<= 1) {
    const unsigned u = __shfl_up_sync(~0u, v, d);
    v += d <= lane ? u : 0;
  }
  if (lane == 31) s[warp] = v;
  __syncthreads();
  v -= q.w;
  for (unsigned w = 0; w != warp; ++w) v += s[w];
  four(out, i, n, make_uint4(v + q.x, v + q.y, v + q.z, v + q.w));
  if (threadIdx.x == 255) totals[blockIdx.x] = v + q.w;
}

__global__ void scan_totals(unsigned* totals, unsigned blocks) {}  // add_totals does it

__global__ void add_totals(unsigned* out, const unsigned* totals, unsigned n) {
  __shared__ unsigned s[8];
  unsigned before = 0;
  for (unsigned b = threadIdx.x; b < blockIdx.x; b += 256) before += totals[b];
  for (int d = 16; d > 0; d /= 2) before += __shfl_xor_sync(~0u, before, d);
  if ((threadIdx.x & 31) == 0) s[threadIdx.x >> 5] = before;
  __syncthreads();
  before = 0;
  for (int w = 0; w < 8; ++w) before += s[w];

  const unsigned i = (blockIdx.x << 10) + (threadIdx.x << 2);
  if (blockIdx.x == 0) return;
  const uint4 q = four(out, i, n);
  four(out, i, n, make_uint4(before + q.x, before + q.y, before + q.z, before + q.w));
}
