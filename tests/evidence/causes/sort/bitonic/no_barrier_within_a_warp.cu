// SPDX-License-Identifier: Apache-2.0
// cause: missing_syncwarp|missing_barrier line=15
// says: Distances up to 32 stay within a warp, but its lanes still need a __syncwarp() between two steps.
__global__ void bitonic_block(unsigned* out, const unsigned* in, unsigned n) {
  __shared__ unsigned s[2048];
  const unsigned base = blockIdx.x * 2048, t = threadIdx.x;
  for (unsigned i = t; i < 2048; i += 512) s[i] = base + i < n ? in[base + i] : 0xffffffff;
  __syncthreads();
  for (unsigned size = 2; size <= 2048; size *= 2) {
    for (unsigned d = size / 2; d > 0; d /= 2) {
      for (unsigned p = t; p < 1024; p += 512) {
        const unsigned i = 2 * p - (p & (d - 1)), j = i + d;
        const unsigned a = s[i], b = s[j];
        const bool up = (i & size) == 0;
        s[i] = up ? min(a, b) : max(a, b);
        s[j] = up ? max(a, b) : min(a, b);
      }
      if (d > 32 || d == 1) __syncthreads();
    }
  }
  for (unsigned i = t; i < 2048; i += 512) {
    if (base + i < n) out[base + i] = s[i];
  }
}
