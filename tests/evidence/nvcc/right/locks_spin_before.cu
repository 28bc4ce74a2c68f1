// SPDX-License-Identifier: Apache-2.0
// The textbook loop while (atomicCAS(...) != 0); in every lane.
// launch: --kernel count --grid 1 --block 32 --arg inout:i32:1:zeros
__device__ int lock;
__global__ void count(int* total) {
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  __threadfence();
  *(volatile int*)total += 2;
  __threadfence();
  atomicExch(&lock, 0);
}
