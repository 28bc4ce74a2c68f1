// SPDX-License-Identifier: Apache-2.0
// Votes, ballots, matches and warp reductions.
// launch: grid 4 block 128

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned v = in[i];
  unsigned r = __ballot_sync(0xffffffff, v & 1);
  r ^= __all_sync(0xffffffff, v != 3) * 5 + __any_sync(0xffffffff, (v & 15) == 3) * 7;
  r += __match_any_sync(0xffffffff, v & 3);
  int same = 0;
  r += __match_all_sync(0xffffffff, v >> 31, &same) + same;
  r ^= __match_any_sync(0xffffffff, static_cast<unsigned long long>(v & 7) << 33);
#if __CUDA_ARCH__ >= 800
  r += __reduce_add_sync(0xffffffff, v) ^ __reduce_min_sync(0xffffffff, v) ^
       __reduce_max_sync(0xffffffff, v) ^ __reduce_xor_sync(0xffffffff, v) ^
       static_cast<unsigned>(__reduce_max_sync(0xffffffff, static_cast<int>(v)));
#endif
  if (v & 2) r += __popc(__activemask()) > 0;
  out[i] = r;
}
