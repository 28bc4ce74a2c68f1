// SPDX-License-Identifier: Apache-2.0
// A lock that one thread of each block takes.
// launch: --kernel count --grid 8 --block 32 --arg inout:i32:1:zeros
__device__ int lock;
__global__ void count(int* total) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  __threadfence();
  *(volatile int*)total += blockIdx.x;
  __threadfence();
  atomicExch(&lock, 0);
}
