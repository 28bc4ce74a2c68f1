// SPDX-License-Identifier: Apache-2.0
// Gray codes and their inverse, and the parity of a word.
// launch: --kernel codes --grid 1 --block 32 --arg out:u32:32
__global__ void codes(unsigned* out) {
  const unsigned x = threadIdx.x * 77, gray = x ^ x >> 1;
  unsigned back = gray;
  for (int s = 1; s < 32; s *= 2) back ^= back >> s;
  out[threadIdx.x] = gray + (back == x) * 100000 + (__popc(x) & 1) * 1000000;
}
