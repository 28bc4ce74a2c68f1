// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 1 --arg out:i32:1
// | trap_null_pointer.cu:10:3: trap: the kernel stopped at a trap: at __trap(), or at code that the compiler replaced by a trap because it cannot run (a write to __constant__ memory, a null pointer)
// |    10 |   *nowhere = 2;
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(int* out) {
  int* nowhere = nullptr;
  out[0] = 1;
  *nowhere = 2;
}
