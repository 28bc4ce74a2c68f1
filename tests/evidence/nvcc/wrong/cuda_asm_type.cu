// SPDX-License-Identifier: Apache-2.0
// Inline PTX with a float in an integer register.
__global__ void kernel(int* out, float x) {
  int r;
  asm("mov.s32 %0, %1;" : "=r"(r) : "r"(x));
  out[threadIdx.x] = r;
}
