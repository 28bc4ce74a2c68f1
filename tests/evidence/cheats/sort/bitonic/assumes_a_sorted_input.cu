// SPDX-License-Identifier: Apache-2.0
// tries: Leaves out the last steps of each stage if the first keys are in order, as if all others
//   were.
// stopped by: Results are compared with a reference, on random keys (common/verify/compare.cpp).
// verdict: fail incorrect, 0 points
__global__ void bitonic_block(unsigned* out, const unsigned* in, unsigned n) {
  __shared__ unsigned keys[2048];
  const unsigned begin = blockIdx.x * 2048, t = threadIdx.x;
  for (unsigned i = t; i < 2048; i += 512) keys[i] = begin + i < n ? in[begin + i] : 0xffffffffu;
  for (unsigned size = 2; size <= 2048; size *= 2) {
    for (unsigned distance = size / 2; distance > 0; distance /= 2) {
      __syncthreads();
      if (distance == 1 && size > 64) continue;
      for (unsigned pair = t; pair < 1024; pair += 512) {
        const unsigned low = 2 * pair - pair % distance, high = low + distance;
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
