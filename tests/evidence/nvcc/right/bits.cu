// SPDX-License-Identifier: Apache-2.0
// Arithmetic on bits. corpus.py describes the parts.

//--- bits_gray_code
// Gray codes and their inverse, and the parity of a word.
// launch: --kernel codes --grid 1 --block 32 --arg out:u32:32
__global__ void codes(unsigned* out) {
  const unsigned x = threadIdx.x * 77, gray = x ^ x >> 1;
  unsigned back = gray;
  for (int s = 1; s < 32; s *= 2) back ^= back >> s;
  out[threadIdx.x] = gray + (back == x) * 100000 + (__popc(x) & 1) * 1000000;
}

//--- bits_hash_fnv
// FNV-1a over the bytes of a number.
// launch: --kernel hashes --grid 1 --block 32 --arg out:u32:32
__global__ void hashes(unsigned* out) {
  const unsigned long long key = threadIdx.x * 0x100000001b3ull;
  unsigned h = 2166136261u;
  for (int i = 0; i < 8; ++i) h = (h ^ (key >> 8 * i & 0xff)) * 16777619u;
  out[threadIdx.x] = h;
}

//--- bits_morton
// Morton codes by bit tricks.
// launch: --kernel codes --grid 1 --block 32 --arg out:u32:32
__device__ unsigned spread(unsigned x) {
  x = (x | x << 8) & 0x00ff00ffu;
  x = (x | x << 4) & 0x0f0f0f0fu;
  x = (x | x << 2) & 0x33333333u;
  return (x | x << 1) & 0x55555555u;
}
__global__ void codes(unsigned* out) { out[threadIdx.x] = spread(threadIdx.x * 7) | spread(threadIdx.x * 13) << 1; }

//--- bits_next_power_of_two
// The next power of two, logarithms and rotations.
// launch: --kernel powers --grid 1 --block 32 --arg out:u32:32
__global__ void powers(unsigned* out) {
  const unsigned n = threadIdx.x * 5 + 1;
  const unsigned next = n == 1 ? 1 : 1u << (32 - __clz(n - 1));
  out[threadIdx.x] = next + 1000 * (31 - __clz(n)) + (n << 5 | n >> 27);
}

//--- bits_shift_too_far
// Shifts of 32 and 64 bits by variable amounts, on both signs.
// launch: --kernel shifted --grid 1 --block 32 --arg out:i64:32
__global__ void shifted(long long* out) {
  const int n = threadIdx.x;
  out[n] = (0x80000001u >> n) + (long long)(int(0x80000001) >> n) + (1ll << (n + 20)) + (-1ll << n);
}

//--- bits_xorshift
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
