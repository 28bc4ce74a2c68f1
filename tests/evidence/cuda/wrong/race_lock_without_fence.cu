// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 64 --arg out:i32:1
// | race_lock_without_fence.cu:14:5: race: thread (32, 0, 0) reads bytes 0 to 3 of count, which thread (0, 0, 0) writes in the same line, with no barrier in between: their order is undefined. A flag, a counter or a lock orders accesses to other words only with fences. Put a __threadfence_block() between line 14 and the access that sets the flag, and one between the access that reads the flag and line 14. This happened 3 times.
// |    14 |     ++count;
// |       |     ^
// |       block (0, 0, 0), thread (32, 0, 0)
extern "C" __global__ void k(int* out) {
  __shared__ int lock, count;
  if (threadIdx.x == 0) lock = count = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    ++count;
    atomicExch(&lock, 0);  // missing __threadfence_block() before
  }
  __syncthreads();
  if (threadIdx.x == 0) out[0] = count;
}
