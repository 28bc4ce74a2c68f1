// SPDX-License-Identifier: Apache-2.0
// Inline PTX without a semicolon.
__global__ void kernel(int* out) {
  int r;
  asm("mov.u32 %0, %%laneid" : "=r"(r));
  out[threadIdx.x] = r;
}
