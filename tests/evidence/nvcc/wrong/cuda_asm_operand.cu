// SPDX-License-Identifier: Apache-2.0
// Inline PTX with an operand that does not exist.
__global__ void kernel(int* out) {
  int r;
  asm("add.s32 %0, %1, %2;" : "=r"(r) : "r"(1));
  out[threadIdx.x] = r;
}
