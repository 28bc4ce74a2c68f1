// SPDX-License-Identifier: Apache-2.0
// One warp of scan_totals does all the work, 32 totals at a time.
// deserves: fail performance, 6 points; one warp scans the totals while the rest of the card waits.
template <unsigned Threads>
__device__ unsigned block_scan(unsigned value, unsigned* shared) {
  for (unsigned d = 1; d < 32; d *= 2) {
    const unsigned left = __shfl_up_sync(~0u, value, d);
    if (threadIdx.x % 32 >= d) value += left;
  }
  __syncthreads();
  if (threadIdx.x % 32 == 31) shared[threadIdx.x / 32] = value;
  __syncthreads();
  for (unsigned w = 0; w < threadIdx.x / 32; ++w) value += shared[w];
  return value;
}

__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned shared[8];
  unsigned carry = 0;
  for (unsigned r = 0; r < 4; ++r) {
    const unsigned i = blockIdx.x * 1024 + r * 256 + threadIdx.x;
    const unsigned sum = carry + block_scan<256>(i < n ? in[i] : 0, shared);
    if (i < n) out[i] = sum;
    __shared__ unsigned last;
    __syncthreads();
    if (threadIdx.x == 255) last = sum;
    __syncthreads();
    carry = last;
  }
  if (threadIdx.x == 0) totals[blockIdx.x] = carry;
}

__global__ void scan_totals(unsigned* totals, unsigned blocks) {
  if (threadIdx.x >= 32) return;
  unsigned carry = 0;
  for (unsigned b = threadIdx.x; b - threadIdx.x < blocks; b += 32) {
    unsigned sum = b < blocks ? totals[b] : 0;
    for (unsigned d = 1; d < 32; d *= 2) {
      const unsigned left = __shfl_up_sync(~0u, sum, d);
      if (threadIdx.x >= d) sum += left;
    }
    sum += carry;
    if (b < blocks) totals[b] = sum;
    carry = __shfl_sync(~0u, sum, 31);
  }
}

__global__ void add_totals(unsigned* out, const unsigned* totals, unsigned n) {
  if (blockIdx.x == 0) return;
  for (unsigned i = threadIdx.x; i < 1024 && blockIdx.x * 1024 + i < n; i += 256) {
    out[blockIdx.x * 1024 + i] += totals[blockIdx.x - 1];
  }
}
