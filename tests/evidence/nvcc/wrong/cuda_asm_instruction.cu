// SPDX-License-Identifier: Apache-2.0
// Inline PTX with an instruction that does not exist.
__global__ void kernel(int* out) {
  int r;
  asm("plus.s32 %0, %1, %2;" : "=r"(r) : "r"(1), "r"(2));
  out[threadIdx.x] = r;
}
