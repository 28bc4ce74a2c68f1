// SPDX-License-Identifier: Apache-2.0
// Passes of a radix sort: counts of digits per block, and stable scatters of a block's tile. A
// digit's output region has room for twice its expected number of keys. A block reserves its part
// of each region with one atomic per digit.

// Counts of a digit of Bits bits in tiles of `tile` keys, stored by digit, then by block.
template <int Bits>
__global__ void digit_counts(unsigned* counts, const unsigned* keys, int n, int tile, int shift) {
  __shared__ unsigned own[1 << Bits];
  for (int d = threadIdx.x; d < 1 << Bits; d += blockDim.x) own[d] = 0;
  __syncthreads();
  const int first = blockIdx.x * tile;
  const int end = min(first + tile, n);
  for (int i = first + threadIdx.x; i < end; i += blockDim.x) {
    atomicAdd(&own[(keys[i] >> shift) & ((1 << Bits) - 1)], 1U);
  }
  __syncthreads();
  for (int d = threadIdx.x; d < 1 << Bits; d += blockDim.x) {
    counts[d * gridDim.x + blockIdx.x] = own[d];
  }
}

// All four digits of 8 bits in one pass over the keys, which are read four at a time.
__global__ void all_digit_counts(unsigned* counts, const uint4* keys, int fours) {
  __shared__ unsigned own[4][256];
  for (int d = threadIdx.x; d < 1024; d += blockDim.x) own[d / 256][d % 256] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < fours; i += gridDim.x * blockDim.x) {
    const uint4 four = keys[i];
    const unsigned key[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
    for (int k = 0; k < 4; ++k) {
#pragma unroll
      for (int digit = 0; digit < 4; ++digit) {
        atomicAdd(&own[digit][(key[k] >> (8 * digit)) & 255], 1U);
      }
    }
  }
  __syncthreads();
  for (int d = threadIdx.x; d < 1024; d += blockDim.x) {
    atomicAdd(&counts[d], own[d / 256][d % 256]);
  }
}

// Counts in registers: each thread has 16 counters of 8 bits for 4-bit digits, packed in four
// words, for at most 255 keys per thread.
__global__ void packed_counts(unsigned* counts, const unsigned* keys, int n, int shift) {
  unsigned packed[4] = {0, 0, 0, 0};
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const unsigned digit = (keys[i] >> shift) & 15;
#pragma unroll
    for (int w = 0; w < 4; ++w) {
      if (digit / 4 == w) packed[w] += 1U << (8 * (digit % 4));
    }
  }
#pragma unroll
  for (int d = 0; d < 16; ++d) {
    unsigned sum = (packed[d / 4] >> (8 * (d % 4))) & 255;
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0U, sum, offset);
    if (threadIdx.x % 32 == 0) atomicAdd(&counts[d], sum);
  }
}

// Stable within a block: __match_any_sync ranks a warp's keys; warps take turns by key position.
// Blocks of 256 threads, tiles of 256 * Items keys.
template <int Bits, int Items>
__global__ void scatter_by_match(unsigned* out, unsigned* used, const unsigned* keys, int n,
                                 int shift, unsigned room) {
  constexpr int kDigits = 1 << Bits;
  __shared__ unsigned warp_counts[8][kDigits];
  __shared__ unsigned bases[kDigits];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  for (int d = threadIdx.x; d < 8 * kDigits; d += 256) warp_counts[d / kDigits][d % kDigits] = 0;
  __syncthreads();
  unsigned own[Items];
  unsigned ranks[Items];
  const int first = blockIdx.x * 256 * Items + warp * 32 * Items + lane;
#pragma unroll
  for (int k = 0; k < Items; ++k) {
    const int i = first + k * 32;
    const bool inside = i < n;
    own[k] = inside ? keys[i] : 0;
    const unsigned digit = (own[k] >> shift) & (kDigits - 1);
    const unsigned same = __match_any_sync(~0U, inside ? digit : kDigits);
    const unsigned before = inside ? warp_counts[warp][digit] : 0;
    ranks[k] = before + __popc(same & ((1U << lane) - 1));
    __syncwarp();
    if (inside && (same >> lane) == 1) warp_counts[warp][digit] = ranks[k] + 1;
    __syncwarp();
  }
  __syncthreads();
  for (int d = threadIdx.x; d < kDigits; d += 256) {
    unsigned sum = 0;
    for (int w = 0; w < 8; ++w) {
      const unsigned count = warp_counts[w][d];
      warp_counts[w][d] = sum;
      sum += count;
    }
    bases[d] = d * room + atomicAdd(&used[d], sum);
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < Items; ++k) {
    if (first + k * 32 >= n) continue;
    const unsigned digit = (own[k] >> shift) & (kDigits - 1);
    out[bases[digit] + warp_counts[warp][digit] + ranks[k]] = own[k];
  }
}

// Orders the tile by its digit in shared memory first, so that each digit's keys leave together.
// Blocks of 256, one key and one payload per thread, digits of four bits.
__global__ void scatter_pairs(unsigned* out_keys, unsigned* out_values, unsigned* used,
                              const unsigned* keys, const unsigned* values, int shift,
                              unsigned room) {
  __shared__ unsigned own_keys[256];
  __shared__ unsigned own_values[256];
  __shared__ int warps[8];
  __shared__ unsigned starts[16];
  __shared__ unsigned bases[16];
  const int t = threadIdx.x;
  const int lane = t % 32;
  unsigned key = keys[blockIdx.x * 256 + t];
  unsigned value = values[blockIdx.x * 256 + t];
  for (int bit = 0; bit < 4; ++bit) {
    const bool one = (key >> (shift + bit)) & 1;
    const unsigned zeros = __ballot_sync(~0U, !one);
    if (lane == 0) warps[t / 32] = __popc(zeros);
    __syncthreads();
    int before = 0;
    int all = 0;
    for (int w = 0; w < 8; ++w) {
      if (w == t / 32) before = all;
      all += warps[w];
    }
    const int zeros_before = before + __popc(zeros & ((1U << lane) - 1));
    const int to = one ? all + t - zeros_before : zeros_before;
    own_keys[to] = key;
    own_values[to] = value;
    __syncthreads();
    key = own_keys[t];
    value = own_values[t];
  }
  const unsigned digit = (key >> shift) & 15;
  if (t < 16) starts[t] = 0;
  __syncthreads();
  if (t > 0 && digit != ((own_keys[t - 1] >> shift) & 15)) starts[digit] = t;
  const bool end = t == 255 || digit != ((own_keys[t + 1] >> shift) & 15);
  __syncthreads();
  if (end) bases[digit] = digit * room + atomicAdd(&used[digit], t + 1 - starts[digit]);
  __syncthreads();
  const unsigned to = bases[digit] + t - starts[digit];
  out_keys[to] = key;
  out_values[to] = value;
}

// Sorts each block's 1024 keys completely, one bit at a time. Blocks of 256 threads.
__global__ void sort_tile_by_bits(unsigned* out, const unsigned* in, int bits) {
  __shared__ unsigned keys[1024];
  __shared__ int warps[8];
  const int t = threadIdx.x;
  const int lane = t % 32;
  for (int k = t; k < 1024; k += 256) keys[k] = in[blockIdx.x * 1024 + k];
  __syncthreads();
  for (int bit = 0; bit < bits; ++bit) {
    unsigned own[4];
    int zeros = 0;
    for (int k = 0; k < 4; ++k) {
      own[k] = keys[4 * t + k];
      zeros += 1 - ((own[k] >> bit) & 1);
    }
    int through = zeros;
    for (int offset = 1; offset < 32; offset *= 2) {
      const int other = __shfl_up_sync(~0U, through, offset);
      if (lane >= offset) through += other;
    }
    if (lane == 31) warps[t / 32] = through;
    __syncthreads();
    int before = through - zeros;
    int all = 0;
    for (int w = 0; w < 8; ++w) {
      if (w < t / 32) before += warps[w];
      all += warps[w];
    }
    for (int k = 0; k < 4; ++k) {
      const bool one = (own[k] >> bit) & 1;
      keys[one ? all + 4 * t + k - before : before] = own[k];
      before += one ? 0 : 1;
    }
    __syncthreads();
  }
  for (int k = t; k < 1024; k += 256) out[blockIdx.x * 1024 + k] = keys[k];
}
