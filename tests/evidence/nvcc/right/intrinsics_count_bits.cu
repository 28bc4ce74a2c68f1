// SPDX-License-Identifier: Apache-2.0
// __popc, __clz, __ffs, __brev and their 64-bit versions.
// launch: --kernel counts --grid 1 --block 32 --arg out:i32:32
__global__ void counts(int* out) {
  const unsigned x = threadIdx.x * 0x01234567u;
  const unsigned long long y = threadIdx.x * 0x0123456789abcdefull;
  out[threadIdx.x] = __popc(x) + 100 * __clz(x) + 10000 * __ffs(x) + int(__brev(x) >> 7) + __popcll(y) + __clzll(y) + __ffsll(y) + int(__brevll(y) >> 40);
}
