// SPDX-License-Identifier: Apache-2.0
// launch: --grid 2 --block 32 --arg out:i32:2
// | runaway_other_block.cu:11:5: runaway: the block did not finish within 1,073,741,824 units of work (a warp instruction is one unit, a request of memory or a call of printf or malloc is many); look for a loop that never ends, runs far too often, or waits for another block
// |    11 |     while (ready == 0) {
// |       |     ^
// |       block (0, 0, 0), thread (0, 0, 0)
__device__ volatile int ready;
extern "C" __global__ void k(int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    while (ready == 0) {
    }
  } else {
    ready = 1;
  }
  out[blockIdx.x] = 1;
}
