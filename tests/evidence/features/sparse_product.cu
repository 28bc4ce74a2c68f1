// SPDX-License-Identifier: Apache-2.0
// A product of a sparse matrix on tensor cores.
// launch: --kernel products --grid 1 --block 32 --arg out:f32:128
__global__ void products(float* out) {
  float d[4] = {};
  asm volatile(
      "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%4}, {%4,%4}, {%0,%1,%2,%3}, %5, 0x0;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(0), "r"(0x44444444));
  for (int i = 0; i < 4; ++i) out[4 * threadIdx.x + i] = d[i];
}
