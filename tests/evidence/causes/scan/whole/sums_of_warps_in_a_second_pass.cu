// SPDX-License-Identifier: Apache-2.0
// cause: extra_pass|redundant_stores line=33
// says: scan_blocks stores the sums of the warps to out, loads them again and stores them a
//   second time: keep them in registers until the sums before are known.
// never: several threads
__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned of_warps[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, begin = blockIdx.x * 1024;
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned i = begin + k * 256 + threadIdx.x;
    unsigned v = i < n ? in[i] : 0;
    for (unsigned step = 1; step < 32; step *= 2) {
      const unsigned left = __shfl_up_sync(~0u, v, step);
      if (lane >= step) v += left;
    }
    if (i < n) out[i] = v;
    if (lane == 31) of_warps[8 * k + warp] = v;
  }
  __syncthreads();
  if (warp == 0) {
    unsigned v = of_warps[lane];
    for (unsigned step = 1; step < 32; step *= 2) {
      const unsigned left = __shfl_up_sync(~0u, v, step);
      if (lane >= step) v += left;
    }
    of_warps[lane] = v;
  }
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned i = begin + k * 256 + threadIdx.x, w = 8 * k + warp;
    if (i < n && w > 0) out[i] += of_warps[w - 1];
  }
  if (threadIdx.x == 0) totals[blockIdx.x] = of_warps[31];
}

__global__ void scan_totals(unsigned* totals, unsigned blocks) {
  __shared__ unsigned of_warps[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned carry = 0;
  for (unsigned begin = 0; begin < blocks; begin += 1024) {
    const unsigned b = begin + threadIdx.x;
    unsigned v = b < blocks ? totals[b] : 0;
    for (unsigned step = 1; step < 32; step *= 2) {
      const unsigned left = __shfl_up_sync(~0u, v, step);
      if (lane >= step) v += left;
    }
    if (lane == 31) of_warps[warp] = v;
    __syncthreads();
    unsigned before = 0, all = 0;
    for (unsigned w = 0; w < 32; ++w) {
      if (w < warp) before += of_warps[w];
      all += of_warps[w];
    }
    if (b < blocks) totals[b] = carry + before + v;
    carry += all;
    __syncthreads();
  }
}

__global__ void add_totals(unsigned* out, const unsigned* totals, unsigned n) {
  if (blockIdx.x == 0) return;
  const unsigned more = totals[blockIdx.x - 1];
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned i = blockIdx.x * 1024 + k * 256 + threadIdx.x;
    if (i < n) out[i] += more;
  }
}
