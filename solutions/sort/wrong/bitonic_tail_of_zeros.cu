// SPDX-License-Identifier: Apache-2.0
// fails: incorrect
// cause: wrong_start line=8
// Fills the end of the last block with zeros, which come first.
__global__ void bitonic_block(unsigned* out, const unsigned* in, unsigned n) {
  __shared__ unsigned keys[2048];
  const unsigned begin = blockIdx.x * 2048, t = threadIdx.x;
  for (unsigned i = t; i < 2048; i += 512) keys[i] = begin + i < n ? in[begin + i] : 0;
  for (unsigned size = 2; size <= 2048; size *= 2) {
    for (unsigned distance = size / 2; distance > 0; distance /= 2) {
      __syncthreads();
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
