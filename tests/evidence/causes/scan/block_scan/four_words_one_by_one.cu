// SPDX-License-Identifier: Apache-2.0
// cause: uncoalesced_load|partial_sectors line=14
// says: A thread loads its four neighbouring words one by one, so in each load the lanes are 16
//   bytes apart: load a uint4.
// never: several threads
__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned of_warps[8];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned first = blockIdx.x * 1024 + threadIdx.x * 4;
  unsigned own[4];
  unsigned sum = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    sum += first + k < n ? in[first + k] : 0;
    own[k] = sum;
  }
  unsigned inclusive = sum;
  for (unsigned step = 1; step < 32; step *= 2) {
    const unsigned left = __shfl_up_sync(~0u, inclusive, step);
    if (lane >= step) inclusive += left;
  }
  if (lane == 31) of_warps[warp] = inclusive;
  __syncthreads();
  unsigned before = inclusive - sum;
  for (unsigned w = 0; w < warp; ++w) before += of_warps[w];
  if (first + 3 < n) {
    *(uint4*)(out + first) = make_uint4(before + own[0], before + own[1], before + own[2], before + own[3]);
  } else {
    for (int k = 0; k < 4; ++k)
      if (first + k < n) out[first + k] = before + own[k];
  }
  if (threadIdx.x == 255) totals[blockIdx.x] = before + sum;
}
