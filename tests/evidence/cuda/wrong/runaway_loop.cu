// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 32 --arg out:i32:32 --arg i32:0
// | runaway_loop.cu:9:3: runaway: the block has used 1073741824 units of work and does not end (a warp instruction is one unit, a request of memory or a call of printf or malloc is many); look for a loop whose condition never becomes false, that runs far too often, or that waits for another block
// |     9 |   for (int i = threadIdx.x; i < 100; i += step) n += i;  // step is 0
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(int* out, int step) {
  int n = 0;
  for (int i = threadIdx.x; i < 100; i += step) n += i;  // step is 0
  out[threadIdx.x] = n;
}
