// SPDX-License-Identifier: Apache-2.0
// launch: --grid 4 --block 32 --arg inout:i32:1:zeros
// | race_lock_with_a_limit.cu:14:3: race: thread (0, 0, 0) reads total[0], which thread (0, 0, 0) of block (3, 0, 0) writes in the same line, with nothing to order them: their order is undefined. The attempt to take a lock in line 11 may fail, and the thread goes on all the same. Try again until it succeeds, or skip what the lock protects. This happened 3 times.
// |    14 |   *total += 1;
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
__device__ int lock;
extern "C" __global__ void k(int* total) {
  if (threadIdx.x != 0) return;
  for (int tries = 0; tries < 1000; ++tries) {
    if (atomicCAS(&lock, 0, 1) == 0) break;  // after the last failure it goes on, too
  }
  __threadfence();
  *total += 1;
  __threadfence();
  atomicExch(&lock, 0);
}
