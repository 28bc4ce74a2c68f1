// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=wavefronts
// cause: bank_conflicts
// A thread owns four neighbouring words of shared memory, and half of its comparisons find
// nothing to do.
__global__ void bitonic_block(unsigned* out, const unsigned* in, unsigned n) {
  __shared__ unsigned keys[2048];
  const unsigned begin = blockIdx.x * 2048, t = threadIdx.x;
  for (unsigned i = t; i < 2048; i += 512) keys[i] = begin + i < n ? in[begin + i] : 0xffffffffu;
  for (unsigned size = 2; size <= 2048; size *= 2) {
    for (unsigned distance = size / 2; distance > 0; distance /= 2) {
      __syncthreads();
      for (unsigned low = 4 * t; low < 4 * t + 4; ++low) {
        const unsigned high = low ^ distance;
        if (high < low) continue;
        const unsigned least = min(keys[low], keys[high]), most = max(keys[low], keys[high]);
        keys[low] = (low & size) == 0 ? least : most;
        keys[high] = (low & size) == 0 ? most : least;
      }
    }
  }
  __syncthreads();
  for (unsigned i = t; i < 2048; i += 512) {
    if (begin + i < n) out[begin + i] = keys[i];
  }
}
