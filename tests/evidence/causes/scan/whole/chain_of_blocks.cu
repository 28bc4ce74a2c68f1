// SPDX-License-Identifier: Apache-2.0
// cause: waits_of_blocks line=38
// says: Each block waits until the block before it has its total, so the blocks finish one after
//   another: leave the totals to scan_totals.
// never: several threads
__device__ unsigned ready[65536], sums_before[65536], next_block;

__device__ unsigned warp_scan(unsigned v) {
  for (unsigned step = 1; step < 32; step *= 2) {
    const unsigned left = __shfl_up_sync(~0u, v, step);
    if (threadIdx.x % 32 >= step) v += left;
  }
  return v;
}

__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned of_warps[8], before_block, block;
  if (threadIdx.x == 0) block = atomicAdd(&next_block, 1);  // in the order of their start
  __syncthreads();
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, begin = block * 1024;
  unsigned own[4];
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned i = begin + warp * 128 + k * 32 + lane;
    own[k] = i < n ? in[i] : 0;
  }
  unsigned sum = 0;
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) {
    own[k] = warp_scan(own[k]) + sum;
    sum = __shfl_sync(~0u, own[k], 31);
  }
  if (lane == 31) of_warps[warp] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned before = 0;
    if (block > 0) {
      while (atomicAdd(&ready[block - 1], 0) == 0) {
      }
      __threadfence();
      before = *(volatile unsigned*)&sums_before[block - 1];
    }
    unsigned total = before;
    for (unsigned w = 0; w < 8; ++w) total += of_warps[w];
    *(volatile unsigned*)&sums_before[block] = total;
    __threadfence();
    atomicExch(&ready[block], 1);
    before_block = before;
  }
  __syncthreads();
  unsigned before = before_block;
  for (unsigned w = 0; w < warp; ++w) before += of_warps[w];
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned i = begin + warp * 128 + k * 32 + lane;
    if (i < n) out[i] = before + own[k];
  }
}

__global__ void scan_totals(unsigned* totals, unsigned blocks) {
  for (unsigned b = threadIdx.x; b < blocks; b += blockDim.x) ready[b] = 0;  // for the next call
  if (threadIdx.x == 0) next_block = 0;
}

__global__ void add_totals(unsigned* out, const unsigned* totals, unsigned n) {}
