// SPDX-License-Identifier: Apache-2.0
// Four bytes in a word: __vadd4, __vmaxu4, __vabsdiffs4, __vcmpgtu4, __vsadu4.
// launch: --kernel bytes --grid 1 --block 32 --arg out:u32:32
__global__ void bytes(unsigned* out) {
  const unsigned a = threadIdx.x * 0x01040907u, b = 0x7f80ff01u;
  out[threadIdx.x] = __vadd4(a, b) ^ __vmaxu4(a, b) ^ __vabsdiffs4(a, b) ^ __vcmpgtu4(a, b) ^ __vsadu4(a, b) ^ __vaddus4(a, b) ^ __vsubss4(a, b);
}
