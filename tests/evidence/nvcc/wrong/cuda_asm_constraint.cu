// SPDX-License-Identifier: Apache-2.0
// Inline PTX with an x86 constraint.
__global__ void kernel(int* out) {
  int r = 1;
  asm("add.s32 %0, %0, 1;" : "+a"(r));
  out[threadIdx.x] = r;
}
