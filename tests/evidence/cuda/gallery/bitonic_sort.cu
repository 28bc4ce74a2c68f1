// SPDX-License-Identifier: Apache-2.0
// Bitonic sort of 256 words per block.
// launch: grid 4 block 128

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  __shared__ unsigned keys[256];
  const unsigned base = blockIdx.x * 256;
  for (unsigned i = threadIdx.x; i < 256; i += 128) keys[i] = in[base + i];
  for (unsigned size = 2; size <= 256; size *= 2) {
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const unsigned low = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      const bool up = (low & size) == 0;
      const unsigned a = keys[low];
      const unsigned b = keys[low + stride];
      if ((a > b) == up) {
        keys[low] = b;
        keys[low + stride] = a;
      }
    }
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < 256; i += 128) out[base + i] = keys[i];
}
