// SPDX-License-Identifier: Apache-2.0
// atomicAnd, atomicOr, and atomicXor.
// launch: --kernel masks --grid 1 --block 32 --arg inout:u32:4:iota --arg inout:u64:1:zeros
__global__ void masks(unsigned* out, unsigned long long* wide) {
  atomicOr(out, 1u << threadIdx.x % 20);
  atomicAnd(out + 3, ~(1u << threadIdx.x % 2));
  atomicXor(out + 2, 1u << threadIdx.x);
  atomicOr(wide, 1ull << 2 * threadIdx.x);
}
