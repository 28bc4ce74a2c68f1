// SPDX-License-Identifier: Apache-2.0
// cause: extra_pass line=52
// says: scan_blocks first copies its part of the input to out and then scans it there, so every
//   element is loaded three times and stored three times; scan what was loaded from in directly.
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

constexpr unsigned kBlock = 1024;

__device__ uint4 get4(const unsigned* p, unsigned i, unsigned n) {
  if (i + 4 <= n) return *reinterpret_cast<const uint4*>(p + i);
  return make_uint4(i < n ? p[i] : 0, i + 1 < n ? p[i + 1] : 0, i + 2 < n ? p[i + 2] : 0, 0);
}

__device__ void put4(unsigned* p, unsigned i, unsigned n, uint4 v) {
  if (i + 4 <= n) {
    *reinterpret_cast<uint4*>(p + i) = v;
  } else {
    if (i < n) p[i] = v.x;
    if (i + 1 < n) p[i + 1] = v.y;
    if (i + 2 < n) p[i + 2] = v.z;
  }
}

__device__ uint4 operator+(uint4 v, unsigned s) {
  return make_uint4(v.x + s, v.y + s, v.z + s, v.w + s);
}

// Sum over the threads of the block before this one; `total` is the sum over all of them.
__device__ unsigned before_me(unsigned value, unsigned* of_warps, unsigned& total) {
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const unsigned upto = cg::inclusive_scan(warp, value);
  if (warp.thread_rank() == 31) of_warps[warp.meta_group_rank()] = upto;
  block.sync();
  unsigned before = upto - value;
  total = 0;
  for (unsigned w = 0; w < warp.meta_group_size(); ++w) {
    if (w < warp.meta_group_rank()) before += of_warps[w];
    total += of_warps[w];
  }
  block.sync();
  return before;
}

__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned of_warps[8];
  const unsigned begin = blockIdx.x * kBlock, end = min(begin + kBlock, n);

  // The scan works in place, so copy first.
  for (unsigned k = begin + threadIdx.x; k < end; k += blockDim.x) out[k] = in[k];
  __syncthreads();

  const unsigned i = begin + threadIdx.x * 4;
  uint4 v = get4(out, i, n);
  v.y += v.x, v.z += v.y, v.w += v.z;
  unsigned all;
  const unsigned before = before_me(v.w, of_warps, all);
  put4(out, i, n, v + before);
  if (threadIdx.x == 0) totals[blockIdx.x] = all;
}

__global__ void scan_totals(unsigned* totals, unsigned blocks) {
  __shared__ unsigned of_warps[32];
  unsigned carry = 0;
  for (unsigned piece = 0; piece < blocks; piece += 4096) {
    const unsigned i = piece + threadIdx.x * 4;
    uint4 v = get4(totals, i, blocks);
    v.y += v.x, v.z += v.y, v.w += v.z;
    unsigned all;
    const unsigned before = before_me(v.w, of_warps, all);
    put4(totals, i, blocks, v + (carry + before));
    carry += all;
  }
}

__global__ void add_totals(unsigned* out, const unsigned* totals, unsigned n) {
  if (blockIdx.x > 0) {
    const unsigned i = blockIdx.x * kBlock + threadIdx.x * 4;
    put4(out, i, n, get4(out, i, n) + totals[blockIdx.x - 1]);
  }
}
