// SPDX-License-Identifier: Apache-2.0
// launch: --grid 2 --block 64 --arg out:u8:128 --arg out:u16:128
extern "C" __global__ void k(unsigned char* bytes, unsigned short* halves) {
  const int i = 2 * threadIdx.x + blockIdx.x;  // the two blocks write adjacent elements
  bytes[i] = i;
  halves[i] = i;
}
