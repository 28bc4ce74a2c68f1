// SPDX-License-Identifier: Apache-2.0
// cause: unwritten line=38
// says: The thread that stores the total does so only if its four elements exist, so a ragged last block has no
//   total.
__device__ unsigned up(unsigned v) {
  const unsigned lane = threadIdx.x & 31;
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    const unsigned other = __shfl_up_sync(~0u, v, d);
    v += lane >= d ? other : 0;
  }
  return v;
}

__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned warps[8];
  const unsigned at = (blockIdx.x * 256 + threadIdx.x) * 4;
  const bool full = at + 3 < n;
  uint4 q = make_uint4(0, 0, 0, 0);
  if (full) {
    q = reinterpret_cast<const uint4*>(in)[at / 4];
  } else {
    if (at < n) q.x = in[at];
    if (at + 1 < n) q.y = in[at + 1];
    if (at + 2 < n) q.z = in[at + 2];
  }
  q.y += q.x;
  q.z += q.y;
  q.w += q.z;
  const unsigned mine = up(q.w);
  if ((threadIdx.x & 31) == 31) warps[threadIdx.x >> 5] = mine;
  __syncthreads();
  unsigned base = mine - q.w;
  for (int w = threadIdx.x / 32 - 1; w >= 0; --w) base += warps[w];

  if (full) {
    reinterpret_cast<uint4*>(out)[at / 4] = make_uint4(base + q.x, base + q.y, base + q.z, base + q.w);
    if (threadIdx.x == 255) totals[blockIdx.x] = base + q.w;
    return;
  }
  if (at < n) out[at] = base + q.x;
  if (at + 1 < n) out[at + 1] = base + q.y;
  if (at + 2 < n) out[at + 2] = base + q.z;
}
