// SPDX-License-Identifier: Apache-2.0
// The next power of two, logarithms and rotations.
// launch: --kernel powers --grid 1 --block 32 --arg out:u32:32
__global__ void powers(unsigned* out) {
  const unsigned n = threadIdx.x * 5 + 1;
  const unsigned next = n == 1 ? 1 : 1u << (32 - __clz(n - 1));
  out[threadIdx.x] = next + 1000 * (31 - __clz(n)) + (n << 5 | n >> 27);
}
