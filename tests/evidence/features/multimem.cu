// SPDX-License-Identifier: Apache-2.0
// A reduction over the memory of several cards.
// launch: --kernel sums --grid 1 --block 32 --arg inout:f32:32:zeros
__global__ void sums(float* out) {
  asm volatile("multimem.red.relaxed.sys.global.add.f32 [%0], %1;" ::"l"(out + threadIdx.x), "f"(1.0f) : "memory");
}
