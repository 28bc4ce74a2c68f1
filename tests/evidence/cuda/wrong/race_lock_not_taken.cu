// SPDX-License-Identifier: Apache-2.0
// launch: --grid 4 --block 32 --arg out:i32:1
// | race_lock_not_taken.cu:12:3: race: thread (0, 0, 0) reads out[0], which thread (0, 0, 0) of block (3, 0, 0) writes in the same line, with nothing to order them: their order is undefined. This is a lost update: line 12 reads the word and writes it in a second step, and another thread may write it in between. Do it in one step: atomicAdd(). This happened 3 times.
// |    12 |   *out += 1;
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
__device__ int lock;
extern "C" __global__ void k(int* out) {
  if (threadIdx.x != 0) return;
  atomicCAS(&lock, 0, 1);  // may fail
  __threadfence();
  *out += 1;
  __threadfence();
  atomicExch(&lock, 0);
}
