// SPDX-License-Identifier: Apache-2.0
// Comma, nested conditional operators, and compound assignments.
// launch: --kernel mixed --grid 1 --block 32 --arg out:i32:32
__global__ void mixed(int* out) {
  int a = threadIdx.x, b;
  b = (a += 3, a *= 2, a % 7);
  b |= a > 40 ? 64 : a > 20 ? 32 : 16;
  b <<= 1, b ^= a;
  out[threadIdx.x] = b;
}
