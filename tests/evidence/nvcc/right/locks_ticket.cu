// SPDX-License-Identifier: Apache-2.0
// A ticket lock with atomicAdd and a volatile read.
// launch: --kernel count --grid 4 --block 32 --arg inout:i32:1:zeros
__device__ unsigned next_ticket;
__device__ volatile unsigned now_serving;
__global__ void count(int* total) {
  if (threadIdx.x != 0) return;
  const unsigned mine = atomicAdd(&next_ticket, 1u);
  while (now_serving != mine) {
  }
  __threadfence();
  *(volatile int*)total += 3;
  __threadfence();
  now_serving = mine + 1;
}
