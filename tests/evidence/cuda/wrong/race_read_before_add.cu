// SPDX-License-Identifier: Apache-2.0
// launch: --grid 2 --block 32 --arg inout:i32:66:zeros
// | race_read_before_add.cu:9:3: race: thread (0, 0, 0) reads out[64], which thread (31, 0, 0) of block (1, 0, 0) atomically updates in line 10, with nothing that orders the two: which comes first is left to chance. Blocks run in any order and at the same time: let one block do both, make two kernels of it, or hand the value over behind a __threadfence() with an atomic. This happened 34 times.
// |     9 |   const int mine = *next;  // not what the addition finds
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(int* out) {
  int* next = &out[64];
  const int mine = *next;  // not what the addition finds
  atomicAdd(next, 1);
  if (mine < 64) atomicCAS(&out[mine], 0, 1);
}
