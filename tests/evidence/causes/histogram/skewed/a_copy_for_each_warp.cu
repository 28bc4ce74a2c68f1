// SPDX-License-Identifier: Apache-2.0
// cause: atomic_contention line=25
// says: The lanes that collide are in one warp, so bins of each warp do not help; give neighbouring lanes
//   different copies.
__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned counts[8][256];
  const unsigned warp = threadIdx.x >> 5;
  for (unsigned w = 0; w < 8; ++w) counts[w][threadIdx.x] = 0;
  __syncthreads();

  unsigned* const own = counts[warp];
  for (unsigned i = 16 * (blockIdx.x * 256 + threadIdx.x); i < n; i += 16 * 256 * gridDim.x) {
    unsigned word[4] = {0, 0, 0, 0};
    if (n - i >= 16) {
      const uint4 q = *reinterpret_cast<const uint4*>(in + i);
      word[0] = q.x, word[1] = q.y, word[2] = q.z, word[3] = q.w;
    } else {
#pragma unroll
      for (unsigned k = 0; k < 16; ++k)
        if (i + k < n) word[k / 4] |= static_cast<unsigned>(in[i + k]) << k % 4 * 8;
    }
#pragma unroll
    for (unsigned k = 0; k < 16; ++k) {
      const unsigned weight = i + k < n;  // bytes behind the end weigh nothing
      atomicAdd(&own[word[k / 4] >> k % 4 * 8 & 255u], weight);
    }
  }
  __syncthreads();
  unsigned sum = 0;
  for (unsigned w = 0; w < 8; ++w) sum += counts[w][threadIdx.x];
  if (sum) atomicAdd(&bins[threadIdx.x], sum);
}
