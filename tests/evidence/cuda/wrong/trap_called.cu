// SPDX-License-Identifier: Apache-2.0
// launch: --grid 2 --block 32 --arg out:i32:64 --arg in:i32:64:iota
// | trap_called.cu:9:3: trap: the kernel stopped at a trap: at __trap(), or at code that the compiler replaced by a trap because it cannot run (a write to __constant__ memory, a null pointer)
// |     9 |   if (in[i] == 40) __trap();
// |       |   ^
// |       block (1, 0, 0), thread (8, 0, 0)
extern "C" __global__ void k(int* out, const int* in) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  if (in[i] == 40) __trap();
  out[i] = in[i];
}
