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
