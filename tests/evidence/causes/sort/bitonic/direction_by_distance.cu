// SPDX-License-Identifier: Apache-2.0
// cause: wrong_operation line=23
// says: The direction of a pair depends on the bit of the stage, and not on that of the distance.
// reports: wrong_operation line=16
__device__ __forceinline__ void order(unsigned& low, unsigned& high, bool up) {
  const unsigned a = min(low, high), b = max(low, high);
  low = up ? a : b;
  high = up ? b : a;
}

__global__ void bitonic_block(unsigned* out, const unsigned* in, unsigned n) {
  __shared__ unsigned keys[2048];
  const unsigned start = blockIdx.x * 2048;
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned at = threadIdx.x + 512 * k;
    keys[at] = start + at < n ? in[start + at] : 0xffffffffu;
  }
  for (unsigned stage = 2; stage <= 2048; stage *= 2) {
    for (unsigned gap = stage / 2; gap; gap /= 2) {
      __syncthreads();
      for (unsigned pair = threadIdx.x; pair < 1024; pair += 512) {
        const unsigned left = 2 * pair - (pair & (gap - 1));
        order(keys[left], keys[left + gap], (left & gap) == 0);
      }
    }
  }
  __syncthreads();
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned at = threadIdx.x + 512 * k;
    if (start + at < n) out[start + at] = keys[at];
  }
}
