// SPDX-License-Identifier: Apache-2.0
// cause: wrong_start line=26
// says: The sum of the earlier pieces starts at 0 again for each piece of 1,024 counts; it must be declared before the loop.
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_scan.cuh>

constexpr unsigned kPart = 4096;

__global__ void count_digits(unsigned* counts, const unsigned* in, unsigned shift, unsigned n) {
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
#pragma unroll
  for (unsigned j = 0; j < 16; ++j) {
    const unsigned i = blockIdx.x * kPart + j * 256 + threadIdx.x;
    if (i < n) atomicAdd(&bins[(in[i] >> shift) & 255], 1);
  }
  __syncthreads();
  counts[threadIdx.x * gridDim.x + blockIdx.x] = bins[threadIdx.x];
}

__global__ void scan_counts(unsigned* counts, unsigned total) {
  using Scan = cub::BlockScan<unsigned, 1024>;
  __shared__ Scan::TempStorage storage;
  for (unsigned from = 0; from < total; from += 1024) {
    unsigned earlier = 0;
    const unsigned i = from + threadIdx.x;
    unsigned count = i < total ? counts[i] : 0, before = 0, piece = 0;
    Scan(storage).ExclusiveSum(count, before, piece);
    if (i < total) counts[i] = earlier + before;
    earlier += piece;
    __syncthreads();
  }
}

__global__ void scatter(unsigned* out, unsigned* counts, const unsigned* in, unsigned shift,
                        unsigned n) {
  using Sort = cub::BlockRadixSort<unsigned, 256, 16>;
  __shared__ union {
    Sort::TempStorage sort;
    unsigned keys[kPart];
  } u;
  __shared__ unsigned begin_of[256];
  const unsigned t = threadIdx.x, first = blockIdx.x * kPart, size = min(kPart, n - first);
  // All digits of the padding are 255, and it comes last.
  for (unsigned i = t; i < kPart; i += 256) u.keys[i] = i < size ? in[first + i] : ~0u;
  __syncthreads();
  unsigned key[16];
#pragma unroll
  for (unsigned j = 0; j < 16; ++j) key[j] = u.keys[t * 16 + j];
  __syncthreads();
  Sort(u.sort).SortBlockedToStriped(key, shift, min(shift + 8, 32u));
  __syncthreads();
#pragma unroll
  for (unsigned j = 0; j < 16; ++j) u.keys[j * 256 + t] = key[j];
  __syncthreads();
#pragma unroll
  for (unsigned j = 0; j < 16; ++j) {
    const unsigned i = j * 256 + t, digit = key[j] >> shift & 255;
    if (i == 0 || (u.keys[i - 1] >> shift & 255) != digit) begin_of[digit] = i;
  }
  __syncthreads();
#pragma unroll
  for (unsigned j = 0; j < 16; ++j) {
    const unsigned i = j * 256 + t, digit = key[j] >> shift & 255;
    if (i < size) out[counts[digit * gridDim.x + blockIdx.x] + i - begin_of[digit]] = key[j];
  }
}
