// SPDX-License-Identifier: Apache-2.0
// fails: incorrect
// cause: index_overflow
// Keeps the warp totals in 16 bits, which overflow.
constexpr unsigned kPart = 1024;  // elements per block
constexpr unsigned kWarps = 8;

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

__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned short warp_totals[kWarps];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned first = blockIdx.x * kPart + threadIdx.x * 4;

  uint4 sums = load_four(in, first, n);
  sums.y += sums.x;
  sums.z += sums.y;
  sums.w += sums.z;

  unsigned inclusive = sums.w;  // after the loop: sum over the warp's threads up to this one
  for (unsigned step = 1; step < 32; step *= 2) {
    const unsigned left = __shfl_up_sync(0xffffffffu, inclusive, step);
    if (lane >= step) inclusive += left;
  }
  if (lane == 31) warp_totals[warp] = inclusive;
  __syncthreads();

  unsigned before = inclusive - sums.w;  // after the loop: sum over the block's earlier threads
  for (unsigned w = 0; w < warp; ++w) before += warp_totals[w];
  const uint4 result = {before + sums.x, before + sums.y, before + sums.z, before + sums.w};
  store_four(out, first, n, result);
  if (threadIdx.x == blockDim.x - 1) totals[blockIdx.x] = result.w;
}
