// SPDX-License-Identifier: Apache-2.0
// scan_totals scans 1,024 totals per round and carries their sum in shared memory.
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
  __shared__ unsigned shared[32], carry;
  if (threadIdx.x == 0) carry = 0;
  for (unsigned begin = 0; begin < blocks; begin += 1024) {
    const unsigned b = begin + threadIdx.x;
    const unsigned sum = block_scan<1024>(b < blocks ? totals[b] : 0, shared) + carry;
    if (b < blocks) totals[b] = sum;
    __syncthreads();
    if (threadIdx.x == 1023) carry = sum;
    __syncthreads();
  }
}

__global__ void add_totals(unsigned* out, const unsigned* totals, unsigned n) {
  if (blockIdx.x == 0) return;
  for (unsigned i = threadIdx.x; i < 1024 && blockIdx.x * 1024 + i < n; i += 256) {
    out[blockIdx.x * 1024 + i] += totals[blockIdx.x - 1];
  }
}
