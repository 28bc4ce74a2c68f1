// SPDX-License-Identifier: Apache-2.0
// cause: wrong_start line=10
// says: Places behind the end start as 0, the smallest key, so they sort to the front and push real keys out; they must start as the largest number.
// Thread t has keys t, t + 512, t + 1024 and t + 1536 of its block.
__global__ void bitonic_block(unsigned* out, const unsigned* in, unsigned n) {
  __shared__ unsigned box[4][512];
  const unsigned t = threadIdx.x, base = blockIdx.x * 2048 + t;
  unsigned r[4];
#pragma unroll
  for (unsigned j = 0; j < 4; ++j) r[j] = base + j * 512 < n ? in[base + j * 512] : 0u;

#pragma unroll
  for (unsigned run = 2; run <= 2048; run *= 2) {
#pragma unroll
    for (unsigned d = run / 2; d > 0; d /= 2) {
      if (d >= 512) {  // partners are in this thread
        const unsigned gap = d / 512;
#pragma unroll
        for (unsigned j = 0; j < 4; ++j) {
          if (j & gap) continue;
          const bool up = ((j * 512 + t) & run) == 0;
          const unsigned x = min(r[j], r[j + gap]), y = max(r[j], r[j + gap]);
          r[j] = up ? x : y;
          r[j + gap] = up ? y : x;
        }
        continue;
      }
      if (d >= 32) {
        __syncthreads();
#pragma unroll
        for (unsigned j = 0; j < 4; ++j) box[j][t] = r[j];
        __syncthreads();
      }
#pragma unroll
      for (unsigned j = 0; j < 4; ++j) {
        const unsigned other = d >= 32 ? box[j][t ^ d] : __shfl_xor_sync(0xffffffffu, r[j], d);
        const bool first = (t & d) == 0, up = ((j * 512 + t) & run) == 0;
        r[j] = first == up ? min(r[j], other) : max(r[j], other);
      }
    }
  }
#pragma unroll
  for (unsigned j = 0; j < 4; ++j) {
    if (base + j * 512 < n) out[base + j * 512] = r[j];
  }
}
