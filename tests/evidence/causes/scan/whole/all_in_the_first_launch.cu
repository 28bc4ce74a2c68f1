// SPDX-License-Identifier: Apache-2.0
// cause: missing_grid_sync|weak_wait line=26
// says: Blocks read the totals of other blocks in the launch that writes them, and nothing makes
//   them wait: that must be left to the next launch.
// never: __syncthreads
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
  unsigned own[4], sum = 0;
  for (int k = 0; k < 4; ++k) own[k] = sum += first + k < n ? in[first + k] : 0;
  const unsigned inclusive = warp_scan(sum);
  if (lane == 31) of_warps[warp] = inclusive;
  __syncthreads();
  unsigned before = inclusive - sum;
  for (unsigned w = 0; w < warp; ++w) before += of_warps[w];
  if (threadIdx.x == 255) totals[blockIdx.x] = before + sum;
  for (unsigned b = 0; b < blockIdx.x; ++b) before += totals[b];
  for (int k = 0; k < 4; ++k)
    if (first + k < n) out[first + k] = before + own[k];
}

__global__ void scan_totals(unsigned* totals, unsigned blocks) {}

__global__ void add_totals(unsigned* out, const unsigned* totals, unsigned n) {}
