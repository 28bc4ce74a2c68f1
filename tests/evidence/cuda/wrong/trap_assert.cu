// SPDX-License-Identifier: Apache-2.0
// launch: --grid 2 --block 32 --arg out:i32:64 --arg in:i32:64:iota
// | trap_assert.cu:10:3: trap: assertion `in[i] < 40' failed in 'void k(int *, const int *)'; the condition is false for this thread
// |    10 |   assert(in[i] < 40);
// |       |   ^
// |       block (1, 0, 0), thread (8, 0, 0)
#include <cassert>
extern "C" __global__ void k(int* out, const int* in) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  assert(in[i] < 40);
  out[i] = in[i];
}
