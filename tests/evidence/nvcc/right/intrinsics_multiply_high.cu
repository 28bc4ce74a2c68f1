// SPDX-License-Identifier: Apache-2.0
// __mulhi, __umulhi, __mul64hi, __mul24 and __umul24.
// launch: --kernel products --grid 1 --block 32 --arg out:i64:32
__global__ void products(long long* out) {
  const int x = threadIdx.x * 0x1234567 - 0x40000000;
  const long long y = x * 0x123456789ll;
  out[threadIdx.x] = __mulhi(x, x) + __umulhi(x, 0xdeadbeefu) + __mul64hi(y, y) + __mul24(x, 77) + __umul24(x, 99) + (long long)__umul64hi(y, y);
}
