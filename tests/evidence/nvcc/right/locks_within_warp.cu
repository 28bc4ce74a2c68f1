// SPDX-License-Identifier: Apache-2.0
// A spin lock that the lanes of a warp take one at a time.
// launch: --kernel count --grid 1 --block 32 --arg inout:i32:1:zeros
__device__ int lock;
__global__ void count(int* total) {
  bool done = false;
  while (!done) {
    if (atomicCAS(&lock, 0, 1) == 0) {
      __threadfence();
      *(volatile int*)total += 1;
      __threadfence();
      atomicExch(&lock, 0);
      done = true;
    }
  }
}
