// SPDX-License-Identifier: Apache-2.0
// memcpy and memset of local memory in device code.
// launch: --kernel copied --grid 1 --block 32 --arg out:u32:32
__global__ void copied(unsigned* out) {
  unsigned words[4];
  unsigned char bytes[16];
  memset(bytes, 0x11, sizeof bytes);
  bytes[threadIdx.x % 16] = 0xAB;
  memcpy(words, bytes, sizeof words);
  out[threadIdx.x] = words[0] ^ words[1] ^ words[2] ^ words[3];
}
