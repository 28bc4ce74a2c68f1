// SPDX-License-Identifier: Apache-2.0
// cause: wrong_start line=61
// says: The running sum is 0 again in each piece of 1,024 totals; set it to 0 before the loop.
namespace {

__device__ unsigned inclusive_in_warp(unsigned v) {
  for (int d = 1; d < 32; d <<= 1) {
    const unsigned u = __shfl_up_sync(~0u, v, d);
    if ((threadIdx.x & 31) >= d) v += u;
  }
  return v;
}

// Inclusive sums over the block; of_warps has 32 words.
__device__ unsigned inclusive_in_block(unsigned v, unsigned* of_warps) {
  const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  v = inclusive_in_warp(v);
  if (lane == 31) of_warps[warp] = v;
  __syncthreads();
  if (warp == 0) {
    const unsigned s = lane < blockDim.x / 32 ? of_warps[lane] : 0;
    of_warps[lane] = inclusive_in_warp(s);
  }
  __syncthreads();
  return warp ? v + of_warps[warp - 1] : v;
}

}  // namespace

__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned of_warps[32];
  const unsigned at = blockIdx.x * 1024 + 4 * threadIdx.x;
  uint4 v = make_uint4(0, 0, 0, 0);
  const bool whole = at + 3 < n;
  if (whole) {
    v = *(const uint4*)(in + at);
  } else {
    if (at < n) v.x = in[at];
    if (at + 1 < n) v.y = in[at + 1];
    if (at + 2 < n) v.z = in[at + 2];
  }
  const unsigned own = v.x + v.y + v.z + v.w;
  const unsigned upto = inclusive_in_block(own, of_warps);
  v.x += upto - own;
  v.y += v.x;
  v.z += v.y;
  v.w += v.z;
  if (whole) {
    *(uint4*)(out + at) = v;
  } else {
    if (at < n) out[at] = v.x;
    if (at + 1 < n) out[at + 1] = v.y;
    if (at + 2 < n) out[at + 2] = v.z;
  }
  if (threadIdx.x == 255) totals[blockIdx.x] = upto;
}

__global__ void scan_totals(unsigned* totals, unsigned blocks) {
  __shared__ unsigned of_warps[32], running;
  for (unsigned base = 0; base < blocks; base += 1024) {
    if (threadIdx.x == 0) running = 0;
    const unsigned i = base + threadIdx.x;
    const unsigned upto = inclusive_in_block(i < blocks ? totals[i] : 0, of_warps);
    if (i < blocks) totals[i] = running + upto;
    __syncthreads();
    if (threadIdx.x == 1023) running += upto;
    __syncthreads();
  }
}

__global__ void add_totals(unsigned* out, const unsigned* totals, unsigned n) {
  if (blockIdx.x == 0) return;
  const unsigned more = totals[blockIdx.x - 1];
  for (unsigned j = 0; j < 4; ++j) {
    const unsigned i = blockIdx.x * 1024 + j * 256 + threadIdx.x;
    if (i < n) out[i] += more;
  }
}
