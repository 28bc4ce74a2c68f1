// SPDX-License-Identifier: Apache-2.0
// The host compiler's __builtin_clz, popcount, ffs and expect.
__global__ void counts(int* out) {
  const unsigned x = threadIdx.x * 0x01234567u + 1;
  int value = __builtin_clz(x) + 100 * __builtin_popcount(x) + 7 * __builtin_ffs(x);
  if (__builtin_expect(value > 500, 0)) value ^= int(x);
  out[threadIdx.x] = value;
}
