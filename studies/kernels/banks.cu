// SPDX-License-Identifier: Apache-2.0
// One warp that loads words of shared memory `stride` words apart, once: one load of a warp, whose
// wavefronts can be counted. The words it loads are written before, each by the lane that loads it.
struct alignas(4) Word4 {
  unsigned x;
};
struct alignas(8) Word8 {
  unsigned x, y;
};
struct alignas(16) Word16 {
  unsigned x, y, z, w;
};

template <typename Word>
__global__ void load_strided(Word* out, const Word* in, int stride) {
  extern __shared__ Word16 bytes[];
  Word* words = reinterpret_cast<Word*>(bytes);
  const int lane = threadIdx.x;
  words[lane * stride] = in[lane];
  __syncthreads();
  out[lane] = words[lane * stride];
}
