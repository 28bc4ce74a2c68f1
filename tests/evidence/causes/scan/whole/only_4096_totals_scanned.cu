// SPDX-License-Identifier: Apache-2.0
// cause: missing_edge line=47
// says: One pass of the block scans 4096 totals and there is no loop over further pieces, so an array with more
//   blocks keeps unscanned totals.
// reports: wrong_operation line=39
__device__ uint4 read4(const unsigned* a, unsigned i, unsigned n) {
  if (i + 3 < n) return reinterpret_cast<const uint4*>(a)[i / 4];
  return make_uint4(i < n ? a[i] : 0, i + 1 < n ? a[i + 1] : 0, i + 2 < n ? a[i + 2] : 0, 0);
}

__device__ void write4(unsigned* a, unsigned i, unsigned n, uint4 q) {
  switch (i < n ? min(n - i, 4u) : 0u) {
    case 4: reinterpret_cast<uint4*>(a)[i / 4] = q; break;
    case 3: a[i + 2] = q.z;
    case 2: a[i + 1] = q.y;
    case 1: a[i] = q.x;
    default: break;
  }
}

// Scans four words per thread, in place; returns with all threads past the barrier.
__device__ uint4 scan_four(uint4 q, unsigned* warp_sums) {
  q.y += q.x, q.z += q.y, q.w += q.z;
  unsigned s = q.w;
  for (int d = 1; d < 32; d <<= 1) {
    const unsigned left = __shfl_up_sync(0xffffffffu, s, d);
    if ((threadIdx.x & 31) >= d) s += left;
  }
  if ((threadIdx.x & 31) == 31) warp_sums[threadIdx.x >> 5] = s;
  __syncthreads();
  unsigned more = s - q.w;
  for (unsigned w = 0; w < threadIdx.x >> 5; ++w) more += warp_sums[w];
  return make_uint4(q.x + more, q.y + more, q.z + more, q.w + more);
}

__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned w[8];
  const unsigned i = blockIdx.x * 1024 + threadIdx.x * 4;
  const uint4 q = scan_four(read4(in, i, n), w);
  write4(out, i, n, q);
  if (threadIdx.x == 255) totals[blockIdx.x] = q.w;
}

__global__ void scan_totals(unsigned* totals, unsigned blocks) {
  __shared__ unsigned w[32];
  const unsigned i = threadIdx.x * 4;
  write4(totals, i, blocks, scan_four(read4(totals, i, blocks), w));
}

__global__ void add_totals(unsigned* out, const unsigned* totals, unsigned n) {
  if (blockIdx.x == 0) return;
  const unsigned i = blockIdx.x * 1024 + threadIdx.x * 4, t = totals[blockIdx.x - 1];
  uint4 q = read4(out, i, n);
  q.x += t, q.y += t, q.z += t, q.w += t;
  write4(out, i, n, q);
}
