// SPDX-License-Identifier: Apache-2.0
// add_totals keeps the total in a register. Each of its threads loads and stores 16 bytes at once.
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
  __shared__ unsigned shared[32];
  unsigned before = 0;
  for (unsigned begin = 0; begin < blocks; begin += 4096) {
    unsigned own[4], sum = 0;
    for (unsigned k = 0; k < 4; ++k) {
      const unsigned b = begin + threadIdx.x * 4 + k;
      own[k] = sum += b < blocks ? totals[b] : 0;
    }
    const unsigned up_to = block_scan<1024>(sum, shared);
    for (unsigned k = 0; k < 4; ++k) {
      const unsigned b = begin + threadIdx.x * 4 + k;
      if (b < blocks) totals[b] = before + up_to - sum + own[k];
    }
    for (unsigned w = 0; w < 32; ++w) before += shared[w];
  }
}

__global__ void add_totals(unsigned* out, const unsigned* totals, unsigned n) {
  const unsigned before = blockIdx.x > 0 ? totals[blockIdx.x - 1] : 0;
  const unsigned first = blockIdx.x * 1024 + threadIdx.x * 4;
  if (first + 4 <= n) {
    uint4 v = *reinterpret_cast<uint4*>(out + first);
    v.x += before, v.y += before, v.z += before, v.w += before;
    *reinterpret_cast<uint4*>(out + first) = v;
  } else {
    for (unsigned i = first; i < n && i < first + 4; ++i) out[i] += before;
  }
}
