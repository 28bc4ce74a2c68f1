// SPDX-License-Identifier: Apache-2.0
// launch: --grid 4 --block 32 --arg out:i32:1 --arg in:i32:128:iota
// | race_global_reset.cu:8:3: race: thread (0, 0, 0) writes out[0], which thread (31, 0, 0) of block (3, 0, 0) atomically updates in line 9, with nothing to order them: their order is undefined. Blocks run concurrently and in any order: set it before the launch, or use an atomic. This happened 2 times.
// |     8 |   if (blockIdx.x == 0 && threadIdx.x == 0) *out = 0;
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(int* out, const int* in) {
  if (blockIdx.x == 0 && threadIdx.x == 0) *out = 0;
  atomicAdd(out, in[blockIdx.x * 32 + threadIdx.x]);
}
