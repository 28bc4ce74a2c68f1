// SPDX-License-Identifier: Apache-2.0
// cause: wrong_index line=29
// says: The sum of the warps before counts this warp's own total, too: w < warp, not w <= warp.
// never: barrier
__device__ unsigned warp_scan(unsigned v) {
  for (unsigned step = 1; step < 32; step *= 2) {
    const unsigned left = __shfl_up_sync(~0u, v, step);
    if (threadIdx.x % 32 >= step) v += left;
  }
  return v;
}

__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned of_warps[8];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned first = blockIdx.x * 1024 + threadIdx.x * 4;
  uint4 v = {0, 0, 0, 0};
  if (first + 3 < n) v = *(const uint4*)(in + first);
  else {
    if (first < n) v.x = in[first];
    if (first + 1 < n) v.y = in[first + 1];
    if (first + 2 < n) v.z = in[first + 2];
  }
  v.y += v.x, v.z += v.y, v.w += v.z;
  const unsigned inclusive = warp_scan(v.w);
  if (lane == 31) of_warps[warp] = inclusive;
  __syncthreads();
  unsigned before = inclusive - v.w;
  for (unsigned w = 0; w <= warp; ++w) before += of_warps[w];
  if (first < n) out[first] = before + v.x;
  if (first + 1 < n) out[first + 1] = before + v.y;
  if (first + 2 < n) out[first + 2] = before + v.z;
  if (first + 3 < n) out[first + 3] = before + v.w;
  if (threadIdx.x == 255) totals[blockIdx.x] = before + v.w;
}
