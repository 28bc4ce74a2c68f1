// SPDX-License-Identifier: Apache-2.0
// A union reads a float's bits as an integer.
// launch: --kernel exponents --grid 1 --block 32 --arg out:u32:32
union Bits {
  float value;
  unsigned bits;
};
__global__ void exponents(unsigned* out) {
  Bits b;
  b.value = 0.37f * (1 + threadIdx.x);
  out[threadIdx.x] = (b.bits >> 23) - 127;
}
