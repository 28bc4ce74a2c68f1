// SPDX-License-Identifier: Apache-2.0
// Shifts of 32 and 64 bits by variable amounts, on both signs.
// launch: --kernel shifted --grid 1 --block 32 --arg out:i64:32
__global__ void shifted(long long* out) {
  const int n = threadIdx.x;
  out[n] = (0x80000001u >> n) + (long long)(int(0x80000001) >> n) + (1ll << (n + 20)) + (-1ll << n);
}
