// SPDX-License-Identifier: Apache-2.0
// cause: wrong_start|out_of_bounds|wrong_index line=11
// says: The first distance of a stage is half of its size; with the size itself the partner is outside of
//   the keys.
__global__ void bitonic_block(unsigned* out, const unsigned* in, unsigned n) {
  __shared__ unsigned s[2048];
  const unsigned base = blockIdx.x * 2048;
  for (unsigned i = threadIdx.x; i < 2048; i += 512) s[i] = base + i < n ? in[base + i] : ~0u;
  __syncthreads();
  for (unsigned size = 2; size <= 2048; size <<= 1) {
    for (unsigned d = size; d > 0; d >>= 1) {
      for (unsigned i = threadIdx.x; i < 2048; i += 512) {
        const unsigned j = i ^ d;
        if (j > i) {
          const unsigned a = s[i], b = s[j];
          if ((a > b) == ((i & size) == 0)) {
            s[i] = b;
            s[j] = a;
          }
        }
      }
      __syncthreads();
    }
  }
  for (unsigned i = threadIdx.x; i < 2048; i += 512) {
    if (base + i < n) out[base + i] = s[i];
  }
}
