// SPDX-License-Identifier: Apache-2.0
// The expected results of this lab, computed in the simplest way: one warp per block walks over the
// keys in order, 32 at a time.

// Block b keeps the keys 1024 b to 1024 b + 1023 that are at least `least`. They begin at out[1024
// b]; the elements behind them are not written, which ends the piece (docs/manifest.md).
__global__ void compact_reference(unsigned* out, unsigned* count, const unsigned* in,
                                  unsigned least, unsigned n) {
  const unsigned first = blockIdx.x * 1024, end = min(first + 1024, n);
  unsigned kept = 0;
  for (unsigned i = first + threadIdx.x; i - threadIdx.x < end; i += 32) {
    const unsigned key = i < end ? in[i] : 0;
    const bool is_kept = i < end && key >= least;
    const unsigned ballot = __ballot_sync(0xffffffffu, is_kept);
    if (is_kept) out[first + kept + __popc(ballot & ((1u << threadIdx.x) - 1))] = key;
    kept += __popc(ballot);
  }
  if (threadIdx.x == 0) atomicAdd(count, kept);
}

// Block b sorts the keys 2048 b to 2048 b + 2047 by a bitonic network in shared memory; each of
// 1024 threads orders one pair of keys per step.
__global__ void bitonic_reference(unsigned* out, const unsigned* in, unsigned n) {
  __shared__ unsigned keys[2048];
  const unsigned begin = blockIdx.x * 2048, t = threadIdx.x;
  for (unsigned i = t; i < 2048; i += 1024) keys[i] = begin + i < n ? in[begin + i] : 0xffffffffu;
  for (unsigned size = 2; size <= 2048; size *= 2) {
    for (unsigned distance = size / 2; distance > 0; distance /= 2) {
      __syncthreads();
      const unsigned low = 2 * t - t % distance, high = low + distance;
      const unsigned least = min(keys[low], keys[high]), most = max(keys[low], keys[high]);
      const bool is_ascending = (low & size) == 0;
      keys[low] = is_ascending ? least : most;
      keys[high] = is_ascending ? most : least;
    }
  }
  __syncthreads();
  for (unsigned i = t; i < 2048; i += 1024) {
    if (begin + i < n) out[begin + i] = keys[i];
  }
}

// A stable pass by one warp: it counts all digits, sums the counts, and stores 32 keys at a time.
__global__ void radix_reference(unsigned* out, const unsigned* in, unsigned shift, unsigned n) {
  __shared__ unsigned start[256];
  const unsigned lane = threadIdx.x;
  for (unsigned digit = lane; digit < 256; digit += 32) start[digit] = 0;
  __syncwarp();
  for (unsigned i = lane; i < n; i += 32) atomicAdd(&start[in[i] >> shift & 255], 1);
  __syncwarp();
  if (lane == 0) {
    unsigned sum = 0;
    for (unsigned digit = 0; digit < 256; ++digit) {
      const unsigned count = start[digit];
      start[digit] = sum;
      sum += count;
    }
  }
  __syncwarp();
  for (unsigned first = 0; first < n; first += 32) {
    const bool is_key = first + lane < n;
    const unsigned key = is_key ? in[first + lane] : 0, digit = is_key ? key >> shift & 255 : 256;
    unsigned same = __ballot_sync(0xffffffffu, is_key);  // lanes with this digit
    for (unsigned bit = 0; bit < 8; ++bit) {
      const unsigned ones = __ballot_sync(0xffffffffu, digit >> bit & 1);
      same &= (digit >> bit & 1) != 0 ? ones : ~ones;
    }
    const unsigned before = __popc(same & ((1u << lane) - 1));
    const unsigned to = is_key ? start[digit] + before : 0;
    __syncwarp();
    if (is_key) out[to] = key;
    if (is_key && before == 0) start[digit] += __popc(same);
    __syncwarp();
  }
}
