// SPDX-License-Identifier: Apache-2.0
// fails: incorrect
// cause: race
// Ranks keys by atomics on one counter per digit of the block: warps are in any order, so equal
// digits are, too.
constexpr unsigned kDigits = 256;
constexpr unsigned kPart = 4096;  // keys per block
constexpr unsigned kThreads = 256;
constexpr unsigned kWarps = kThreads / 32;
constexpr unsigned kOwn = kPart / kThreads;  // keys per thread
constexpr unsigned kPiece = 4096;            // counts per iteration of scan_counts

// Inclusive sums of the lanes' values.
__device__ unsigned warp_scan(unsigned value) {
  for (unsigned step = 1; step < 32; step *= 2) {
    const unsigned left = __shfl_up_sync(0xffffffffu, value, step);
    if (threadIdx.x % 32 >= step) value += left;
  }
  return value;
}

__global__ void count_digits(unsigned* counts, const unsigned* in, unsigned shift, unsigned n) {
  __shared__ unsigned bins[kDigits];
  bins[threadIdx.x] = 0;
  __syncthreads();
  const unsigned first = blockIdx.x * kPart + threadIdx.x;
#pragma unroll
  for (unsigned k = 0; k < kOwn; ++k) {
    const unsigned i = first + k * kThreads;
    if (i < n) atomicAdd(&bins[in[i] >> shift & 255], 1);
  }
  __syncthreads();
  counts[threadIdx.x * gridDim.x + blockIdx.x] = bins[threadIdx.x];
}

__global__ void scan_counts(unsigned* counts, unsigned total) {
  __shared__ unsigned warp_totals[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned carry = 0;  // sum of all earlier pieces
  for (unsigned begin = 0; begin < total; begin += kPiece) {
    const unsigned first = begin + threadIdx.x * 4;  // the total is a multiple of four
    uint4 own = {0, 0, 0, 0};
    if (first < total) own = *reinterpret_cast<const uint4*>(counts + first);
    const unsigned sum = own.x + own.y + own.z + own.w, inclusive = warp_scan(sum);
    if (lane == 31) warp_totals[warp] = inclusive;
    __syncthreads();
    const unsigned of_warps = warp_scan(warp_totals[lane]);  // every warp scans all warp totals
    const unsigned before_warp = __shfl_sync(0xffffffffu, of_warps, (warp + 31) % 32);
    const unsigned before = carry + inclusive - sum + (warp > 0 ? before_warp : 0);
    const uint4 starts = {before, before + own.x, before + own.x + own.y,
                          before + own.x + own.y + own.z};
    if (first < total) *reinterpret_cast<uint4*>(counts + first) = starts;
    carry += __shfl_sync(0xffffffffu, of_warps, 31);
    __syncthreads();  // all warps have read warp_totals; the next piece may replace them
  }
}

__global__ void scatter(unsigned* out, unsigned* counts, const unsigned* in, unsigned shift,
                        unsigned n) {
  __shared__ unsigned of_warp[kWarps][kDigits];  // keys of a digit; later those of earlier warps
  __shared__ unsigned start[kDigits];            // of a digit among the keys of the block
  __shared__ unsigned to[kDigits];               // of a digit in `out`, minus `start`
  __shared__ unsigned sorted[kPart], totals[kWarps];
  const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
  const unsigned first = blockIdx.x * kPart;
  const unsigned size = min(kPart, n - first);

  for (unsigned w = 0; w < kWarps; ++w) of_warp[w][t] = 0;
  __syncthreads();
  unsigned keys[kOwn], ranks[kOwn];
#pragma unroll
  for (unsigned k = 0; k < kOwn; ++k) {
    const unsigned i = warp * kOwn * 32 + k * 32 + lane;
    keys[k] = i < size ? in[first + i] : 0;
  }
#pragma unroll
  for (unsigned k = 0; k < kOwn; ++k) {
    const unsigned i = warp * kOwn * 32 + k * 32 + lane;
    const unsigned digit = i < size ? keys[k] >> shift & 255 : kDigits;  // past the end
    ranks[k] = digit < kDigits ? atomicAdd(&of_warp[0][digit], 1) : 0;
  }
  __syncthreads();

  // Thread t has digit t.
  unsigned count = 0;
  for (unsigned w = 0; w < kWarps; ++w) {
    const unsigned of_this = of_warp[w][t];
    of_warp[w][t] = count;
    count += of_this;
  }
  const unsigned inclusive = warp_scan(count);
  if (lane == 31) totals[warp] = inclusive;
  __syncthreads();
  unsigned before = inclusive - count;
  for (unsigned w = 0; w < warp; ++w) before += totals[w];
  start[t] = before;
  to[t] = counts[t * gridDim.x + blockIdx.x] - before;
  __syncthreads();

#pragma unroll
  for (unsigned k = 0; k < kOwn; ++k) {
    const unsigned i = warp * kOwn * 32 + k * 32 + lane, digit = keys[k] >> shift & 255;
    if (i < size) sorted[start[digit] + ranks[k]] = keys[k];
  }
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < kOwn; ++k) {
    const unsigned i = k * kThreads + t;
    if (i < size) out[to[sorted[i] >> shift & 255] + i] = sorted[i];
  }
}
