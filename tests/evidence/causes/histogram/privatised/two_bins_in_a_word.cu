// SPDX-License-Identifier: Apache-2.0
// cause: index_overflow
// says: Two counters of 16 bits share a word; one beyond 65,535 overflows into the other.
__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned packed[128];  // value v: half v % 2 of word v / 2
  if (threadIdx.x < 128) packed[threadIdx.x] = 0;
  __syncthreads();

  const unsigned threads = gridDim.x * blockDim.x, me = blockDim.x * blockIdx.x + threadIdx.x;
  const unsigned groups = n / 16;
  const uint4* vec = reinterpret_cast<const uint4*>(in);
  for (unsigned g = me; g < groups; g += threads) {
    union {
      uint4 all;
      unsigned words[4];
    } u;
    u.all = vec[g];
#pragma unroll
    for (int w = 0; w < 4; ++w) {
#pragma unroll
      for (int byte = 0; byte < 4; ++byte) {
        const unsigned v = (u.words[w] >> (byte * 8)) & 0xff;
        atomicAdd(&packed[v / 2], v % 2 ? 0x10000u : 1u);
      }
    }
  }
  if (me < n - groups * 16) {
    const unsigned v = in[groups * 16 + me];
    atomicAdd(&packed[v / 2], v % 2 ? 0x10000u : 1u);
  }
  __syncthreads();

  const unsigned both = packed[threadIdx.x / 2];
  const unsigned count = threadIdx.x % 2 ? both >> 16 : both & 0xffff;
  if (count > 0) atomicAdd(&bins[threadIdx.x], count);
}
