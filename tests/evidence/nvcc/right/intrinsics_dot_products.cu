// SPDX-License-Identifier: Apache-2.0
// __dp4a and __dp2a of packed integers.
// launch: --kernel dots --grid 1 --block 32 --arg out:i32:32
__global__ void dots(int* out) {
  const int a = threadIdx.x * 0x01030507, b = 0xff02fe01;
  out[threadIdx.x] = __dp4a(a, b, 10) + __dp4a(unsigned(a), unsigned(b), 3u) + __dp2a_lo(a, b, 1) + __dp2a_hi(a, b, 2);
}
