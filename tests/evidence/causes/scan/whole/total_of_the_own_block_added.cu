// SPDX-License-Identifier: Apache-2.0
// cause: wrong_index line=83
// says: totals[b] already contains block b itself; add totals[b - 1], the sum of all blocks before it.
struct Quad {
  unsigned v[4];
};

__device__ Quad get(const unsigned* p, unsigned i, unsigned n) {
  Quad q = {};
  if (i + 4 <= n) {
    const uint4 u = *reinterpret_cast<const uint4*>(p + i);
    q = {{u.x, u.y, u.z, u.w}};
  } else {
#pragma unroll
    for (unsigned k = 0; k < 4; ++k)
      if (i + k < n) q.v[k] = p[i + k];
  }
  return q;
}

__device__ void put(unsigned* p, unsigned i, unsigned n, const Quad& q, unsigned plus) {
  if (i + 4 <= n) {
    *reinterpret_cast<uint4*>(p + i) = make_uint4(q.v[0] + plus, q.v[1] + plus, q.v[2] + plus, q.v[3] + plus);
    return;
  }
#pragma unroll
  for (unsigned k = 0; k < 4; ++k)
    if (i + k < n) p[i + k] = q.v[k] + plus;
}

// Inclusive scan of one value per thread.
template <unsigned kWarps>
__device__ unsigned scan_threads(unsigned v, unsigned& all) {
  __shared__ unsigned sums[kWarps];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (unsigned d = 1; d < 32; d *= 2) {
    const unsigned u = __shfl_up_sync(0xffffffffu, v, d);
    if (lane >= d) v += u;
  }
  if (lane == 31) sums[warp] = v;
  __syncthreads();
  unsigned before = 0;
  all = 0;
  for (unsigned w = 0; w < kWarps; ++w) {
    if (w == warp) before = all;
    all += sums[w];
  }
  __syncthreads();
  return before + v;
}

__device__ unsigned accumulate(Quad& q) {
#pragma unroll
  for (int k = 1; k < 4; ++k) q.v[k] += q.v[k - 1];
  return q.v[3];
}

__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  const unsigned i = blockIdx.x * 1024 + threadIdx.x * 4;
  Quad q = get(in, i, n);
  const unsigned own = accumulate(q);
  unsigned all;
  const unsigned upto = scan_threads<8>(own, all);
  put(out, i, n, q, upto - own);
  if (threadIdx.x == 0) totals[blockIdx.x] = all;
}

__global__ void scan_totals(unsigned* totals, unsigned blocks) {
  unsigned carry = 0;
  for (unsigned b = 0; b < blocks; b += 4096) {
    Quad q = get(totals, b + threadIdx.x * 4, blocks);
    const unsigned own = accumulate(q);
    unsigned all;
    const unsigned upto = scan_threads<32>(own, all);
    put(totals, b + threadIdx.x * 4, blocks, q, carry + upto - own);
    carry += all;
  }
}

__global__ void add_totals(unsigned* out, const unsigned* totals, unsigned n) {
  const unsigned b = blockIdx.x, i = b * 1024 + threadIdx.x * 4;
  if (b == 0) return;
  put(out, i, n, get(out, i, n), totals[b]);
}
