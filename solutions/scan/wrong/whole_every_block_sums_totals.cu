// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=loads
// cause: redundant_loads line=67
// No scan of the totals: each block adds up all totals before its own, millions of loads overall.
constexpr unsigned kPart = 1024;  // elements per block
__device__ uint4 load_four(const unsigned* in, unsigned first, unsigned n) {
  if (first + 4 <= n) return *reinterpret_cast<const uint4*>(in + first);
  uint4 out = {0, 0, 0, 0};
  if (first < n) out.x = in[first];
  if (first + 1 < n) out.y = in[first + 1];
  if (first + 2 < n) out.z = in[first + 2];
  return out;
}

__device__ void store_four(unsigned* out, unsigned first, unsigned n, uint4 value) {
  if (first + 4 <= n) {
    *reinterpret_cast<uint4*>(out + first) = value;
    return;
  }
  if (first < n) out[first] = value.x;
  if (first + 1 < n) out[first + 1] = value.y;
  if (first + 2 < n) out[first + 2] = value.z;
}

// Inclusive sums of the four words.
__device__ uint4 add_up(uint4 value) {
  value.y += value.x;
  value.z += value.y;
  value.w += value.z;
  return value;
}

__device__ uint4 plus(uint4 value, unsigned more) {
  return {value.x + more, value.y + more, value.z + more, value.w + more};
}

// Inclusive sums of the lanes' values.
__device__ unsigned warp_scan(unsigned value) {
  for (unsigned step = 1; step < 32; step *= 2) {
    const unsigned left = __shfl_up_sync(0xffffffffu, value, step);
    if (threadIdx.x % 32 >= step) value += left;
  }
  return value;
}

__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned warp_totals[8];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned first = blockIdx.x * kPart + threadIdx.x * 4;
  const uint4 sums = add_up(load_four(in, first, n));
  const unsigned inclusive = warp_scan(sums.w);
  if (lane == 31) warp_totals[warp] = inclusive;
  __syncthreads();
  unsigned before = inclusive - sums.w;
  for (unsigned w = 0; w < warp; ++w) before += warp_totals[w];
  store_four(out, first, n, plus(sums, before));
  if (threadIdx.x == blockDim.x - 1) totals[blockIdx.x] = before + sums.w;
}

__global__ void scan_totals(unsigned* totals, unsigned blocks) {}

__global__ void add_totals(unsigned* out, const unsigned* totals, unsigned n) {
  __shared__ unsigned before;
  if (threadIdx.x == 0) before = 0;
  __syncthreads();
  unsigned sum = 0;
  for (unsigned b = threadIdx.x; b < blockIdx.x; b += blockDim.x) sum += totals[b];
  atomicAdd(&before, sum);
  __syncthreads();
  const unsigned first = blockIdx.x * kPart + threadIdx.x * 4;
  store_four(out, first, n, plus(load_four(out, first, n), before));
}
