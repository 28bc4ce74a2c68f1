// SPDX-License-Identifier: Apache-2.0
// cause: uninitialised line=23
// says: The first warp scans 32 totals, but the block has 8 warps: 24 words of shared memory
//   have no value.
// never: barrier
__device__ unsigned warp_scan(unsigned v) {
  for (unsigned step = 1; step < 32; step *= 2) {
    const unsigned left = __shfl_up_sync(~0u, v, step);
    if (threadIdx.x % 32 >= step) v += left;
  }
  return v;
}

__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned of_warps[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned sum[4], carry = 0;
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned i = blockIdx.x * 1024 + k * 256 + threadIdx.x;
    sum[k] = warp_scan(i < n ? in[i] : 0);
    if (lane == 31) of_warps[warp] = sum[k];
    __syncthreads();
    if (warp == 0) of_warps[lane] = warp_scan(of_warps[lane]);
    __syncthreads();
    if (warp > 0) sum[k] += of_warps[warp - 1];
    sum[k] += carry;
    if (i < n) out[i] = sum[k];
    carry += of_warps[31];
    __syncthreads();
  }
  if (threadIdx.x == 0) totals[blockIdx.x] = carry;
}
