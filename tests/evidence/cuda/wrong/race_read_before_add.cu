// SPDX-License-Identifier: Apache-2.0
// launch: --grid 2 --block 32 --arg inout:i32:66:zeros
// | race_read_before_add.cu:9:3: race: thread (0, 0, 0) reads out[64], which thread (31, 0, 0) of block (1, 0, 0) atomically updates in line 10, with nothing to order them: their order is undefined. Blocks run concurrently and in any order: let one block do both, split the kernel in two, or publish the value with __threadfence() and an atomic. This happened 34 times.
// |     9 |   const int mine = *next;  // not what the addition finds
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(int* out) {
  int* next = &out[64];
  const int mine = *next;  // not what the addition finds
  atomicAdd(next, 1);
  if (mine < 64) atomicCAS(&out[mine], 0, 1);
}
