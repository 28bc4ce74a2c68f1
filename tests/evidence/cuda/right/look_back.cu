// SPDX-License-Identifier: Apache-2.0
// launch: --grid 8 --block 32 --arg out:i32:8
__device__ unsigned next;
__device__ volatile int flag[8];
__device__ int prefix[8];
extern "C" __global__ void k(int* out) {
  if (threadIdx.x != 0) return;
  const unsigned turn = atomicAdd(&next, 1);  // not blockIdx: wait only for blocks already running
  int before = 0;
  if (turn > 0) {
    while (flag[turn - 1] == 0) {
    }
    __threadfence();
    before = prefix[turn - 1];
  }
  prefix[turn] = before + turn;
  __threadfence();
  flag[turn] = 1;
  out[turn] = before;
}
