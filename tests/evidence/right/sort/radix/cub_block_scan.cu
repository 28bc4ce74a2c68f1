// SPDX-License-Identifier: Apache-2.0
// cub::BlockScan for the counts of all blocks and for the digits of one.
#include <cub/cub.cuh>

constexpr unsigned kDigits = 256;
constexpr unsigned kPart = 4096;  // keys per block
constexpr unsigned kThreads = 256;
constexpr unsigned kWarps = kThreads / 32;
constexpr unsigned kOwn = kPart / kThreads;  // keys per thread
constexpr unsigned kPiece = 4096;            // counts per iteration of scan_counts

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
  using Scan = cub::BlockScan<unsigned, 1024>;
  __shared__ typename Scan::TempStorage storage;
  unsigned carry = 0;
  for (unsigned begin = 0; begin < total; begin += 1024) {
    const unsigned i = begin + threadIdx.x;
    unsigned before = 0, sum = 0;
    Scan(storage).ExclusiveSum(i < total ? counts[i] : 0, before, sum);
    if (i < total) counts[i] = carry + before;
    carry += sum;
    __syncthreads();
  }
}

__global__ void scatter(unsigned* out, unsigned* counts, const unsigned* in, unsigned shift,
                        unsigned n) {
  __shared__ unsigned of_warp[kWarps][kDigits];  // keys of a digit; later those of earlier warps
  __shared__ unsigned start[kDigits];            // of a digit among the keys of the block
  __shared__ unsigned to[kDigits];               // of a digit in `out`, minus `start`
  __shared__ unsigned sorted[kPart];
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
    const unsigned same = __match_any_sync(0xffffffffu, digit);
    const unsigned before = __popc(same & ((1u << lane) - 1));
    ranks[k] = digit < kDigits ? of_warp[warp][digit] + before : 0;
    __syncwarp();
    if (digit < kDigits && before == 0) of_warp[warp][digit] += __popc(same);
    __syncwarp();
  }
  __syncthreads();

  // Thread t has digit t.
  unsigned count = 0;
  for (unsigned w = 0; w < kWarps; ++w) {
    const unsigned of_this = of_warp[w][t];
    of_warp[w][t] = count;
    count += of_this;
  }
  using Scan = cub::BlockScan<unsigned, 256>;
  __shared__ typename Scan::TempStorage storage;
  unsigned before = 0;
  Scan(storage).ExclusiveSum(count, before);
  start[t] = before;
  to[t] = counts[t * gridDim.x + blockIdx.x] - before;
  __syncthreads();

#pragma unroll
  for (unsigned k = 0; k < kOwn; ++k) {
    const unsigned i = warp * kOwn * 32 + k * 32 + lane, digit = keys[k] >> shift & 255;
    if (i < size) sorted[start[digit] + of_warp[warp][digit] + ranks[k]] = keys[k];
  }
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < kOwn; ++k) {
    const unsigned i = k * kThreads + t;
    if (i < size) out[to[sorted[i] >> shift & 255] + i] = sorted[i];
  }
}
