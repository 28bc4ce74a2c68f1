// SPDX-License-Identifier: Apache-2.0
// __hadd, __rhadd, __uhadd, __sad and __usad.
// launch: --kernel averages --grid 1 --block 32 --arg out:u32:32
__global__ void averages(unsigned* out) {
  const int x = threadIdx.x * 0x7654321, y = -x / 3;
  out[threadIdx.x] = __hadd(x, y) ^ __rhadd(x, y) ^ __uhadd(x, y) ^ __sad(x, y, 5u) ^ __usad(x, y, 6u);
}
