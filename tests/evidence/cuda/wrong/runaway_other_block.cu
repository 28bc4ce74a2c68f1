// SPDX-License-Identifier: Apache-2.0
// launch: --grid 2 --block 32 --arg out:i32:2
// | runaway_other_block.cu:11:5: runaway: the block has executed 268435456 warp instructions and does not end; look for a loop whose condition never becomes false, or that waits for another block
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
