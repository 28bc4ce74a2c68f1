// SPDX-License-Identifier: Apache-2.0
// FNV-1a over the bytes of a number.
// launch: --kernel hashes --grid 1 --block 32 --arg out:u32:32
__global__ void hashes(unsigned* out) {
  const unsigned long long key = threadIdx.x * 0x100000001b3ull;
  unsigned h = 2166136261u;
  for (int i = 0; i < 8; ++i) h = (h ^ (key >> 8 * i & 0xff)) * 16777619u;
  out[threadIdx.x] = h;
}
