// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 32 --arg out:i32:32 --arg i32:0
// | runaway_loop.cu:9:3: runaway: the block did not finish within 1,073,741,824 units of work (a warp instruction is one unit, a request of memory or a call of printf or malloc is many); look for a loop that never ends, runs far too often, or waits for another block
// |     9 |   for (int i = threadIdx.x; i < 100; i += step) n += i;  // step is 0
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(int* out, int step) {
  int n = 0;
  for (int i = threadIdx.x; i < 100; i += step) n += i;  // step is 0
  out[threadIdx.x] = n;
}
