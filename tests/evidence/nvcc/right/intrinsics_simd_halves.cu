// SPDX-License-Identifier: Apache-2.0
// Two 16-bit numbers in a word: __vadd2, __vmins2, __vavgs2, __vsetgtu2.
// launch: --kernel halves --grid 1 --block 32 --arg out:u32:32
__global__ void halves(unsigned* out) {
  const unsigned a = threadIdx.x * 0x04560789u, b = 0x8001fffeu;
  out[threadIdx.x] = __vadd2(a, b) ^ __vmins2(a, b) ^ __vavgs2(a, b) ^ __vsetgtu2(a, b) ^ __vneg2(a) ^ __vabs2(b) ^ __viaddmax_s16x2(a, b, 3);
}
