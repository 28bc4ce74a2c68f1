// SPDX-License-Identifier: Apache-2.0
// launch: --grid 2 --block 32 --arg out:i32:2
// | runaway_other_block.cu:11:5: runaway: the block has used 1073741824 units of work and does not end (a warp instruction is one unit, a request of memory or a call of printf or malloc is many); look for a loop whose condition never becomes false, that runs far too often, or that waits for another block
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
