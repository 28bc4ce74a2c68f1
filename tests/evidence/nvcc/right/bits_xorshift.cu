// SPDX-License-Identifier: Apache-2.0
// A 64-bit xorshift* generator.
// launch: --kernel numbers --grid 1 --block 32 --arg out:u64:32
__global__ void numbers(unsigned long long* out) {
  unsigned long long x = threadIdx.x + 88172645463325252ull;
  for (int i = 0; i < 10; ++i) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
  }
  out[threadIdx.x] = x * 2685821657736338717ull;
}
