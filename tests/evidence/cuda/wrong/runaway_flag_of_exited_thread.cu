// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 64 --arg out:i32:64
// | runaway_flag_of_exited_thread.cu:12:3: runaway: the block did not finish within 1,073,741,824 units of work (a warp instruction is one unit, a request of memory or a call of printf or malloc is many); look for a loop that never ends, runs far too often, or waits for another block
// |    12 |   while (ready == 0) {
// |       |   ^
// |       block (0, 0, 0), thread (32, 0, 0)
extern "C" __global__ void k(int* out) {
  __shared__ volatile int ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x < 32) return;  // so no thread sets ready
  while (ready == 0) {
  }
  out[threadIdx.x] = 1;
}
