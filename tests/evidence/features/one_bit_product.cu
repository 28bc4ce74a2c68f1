// SPDX-License-Identifier: Apache-2.0
// A matrix instruction on single bits.
// launch: --kernel products --grid 1 --block 32 --arg out:i32:64
__global__ void products(int* out) {
  int a = 1, b = 2, c0 = 0, c1 = 0;
  asm volatile("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc {%0, %1}, {%2}, {%3}, {%0, %1};" : "+r"(c0), "+r"(c1) : "r"(a), "r"(b));
  out[2 * threadIdx.x] = c0;
  out[2 * threadIdx.x + 1] = c1;
}
