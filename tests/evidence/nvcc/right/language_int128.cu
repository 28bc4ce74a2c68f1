// SPDX-License-Identifier: Apache-2.0
// __int128 arithmetic in device code.
// launch: --kernel products --grid 1 --block 32 --arg out:u64:64
__global__ void products(unsigned long long* out) {
  const unsigned __int128 a = 0xfedcba9876543210ull + threadIdx.x;
  const unsigned __int128 b = a * a / 7;
  out[2 * threadIdx.x] = static_cast<unsigned long long>(b);
  out[2 * threadIdx.x + 1] = static_cast<unsigned long long>(b >> 64);
}
