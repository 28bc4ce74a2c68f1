// SPDX-License-Identifier: Apache-2.0
// cause: wrong_guard line=8
// says: The lane whose number is the distance has a left neighbour, too, and leaves it out.
__device__ unsigned scan_warp(unsigned v) {
  const unsigned lane = threadIdx.x & 31;
  for (unsigned d = 1; d < 32; d <<= 1) {
    const unsigned left = __shfl_up_sync(~0u, v, d);
    if (lane > d) v += left;
  }
  return v;
}

__device__ unsigned scan_block(unsigned v, unsigned* warps, unsigned& all) {
  const unsigned warp = threadIdx.x >> 5, n = blockDim.x >> 5;
  const unsigned own = scan_warp(v);
  if ((threadIdx.x & 31) == 31) warps[warp] = own;
  __syncthreads();
  unsigned before = 0;
  all = 0;
  for (unsigned w = 0; w < n; ++w) {
    if (w < warp) before += warps[w];
    all += warps[w];
  }
  __syncthreads();
  return before + own;
}

__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned warps[8];
  const unsigned first = blockIdx.x * 1024 + threadIdx.x * 4;
  unsigned v[4], sum = 0;
  for (unsigned k = 0; k < 4; ++k) {
    sum += first + k < n ? in[first + k] : 0;
    v[k] = sum;
  }
  unsigned all;
  const unsigned before = scan_block(sum, warps, all) - sum;
  for (unsigned k = 0; k < 4; ++k) {
    if (first + k < n) out[first + k] = before + v[k];
  }
  if (threadIdx.x == 0) totals[blockIdx.x] = all;
}

__global__ void scan_totals(unsigned* totals, unsigned blocks) {
  __shared__ unsigned warps[32];
  unsigned carry = 0;
  for (unsigned b = 0; b < blocks; b += 1024) {
    const unsigned i = b + threadIdx.x;
    unsigned all;
    const unsigned v = scan_block(i < blocks ? totals[i] : 0, warps, all);
    if (i < blocks) totals[i] = carry + v;
    carry += all;
  }
}

__global__ void add_totals(unsigned* out, const unsigned* totals, unsigned n) {
  if (blockIdx.x == 0) return;
  const unsigned more = totals[blockIdx.x - 1];
  for (unsigned k = threadIdx.x; k < 1024; k += blockDim.x) {
    const unsigned i = blockIdx.x * 1024 + k;
    if (i < n) out[i] += more;
  }
}
