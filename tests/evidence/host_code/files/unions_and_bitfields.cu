// SPDX-License-Identifier: Apache-2.0
// Unions, bit fields, typedef struct, packed and aligned types.
// left out: dump, launch
#include <stdio.h>
#include <stdint.h>
typedef union {
  float f;
  uint32_t u;
} Bits;
typedef struct __align__(16) {
  unsigned sign : 1, exponent : 8, mantissa : 23;
  float padding[3];
} Parts;
struct alignas(8) Pair {
  int a, b;
};
static void dump(Parts p) { printf("%u %u %u\n", p.sign, p.exponent, p.mantissa); }
__global__ void split(Parts* out, const float* in) {
  Bits bits;
  bits.f = in[threadIdx.x];
  Parts p;
  p.sign = bits.u >> 31;
  p.exponent = bits.u >> 23 & 255;
  p.mantissa = bits.u & 0x7fffff;
  out[threadIdx.x] = p;
}
__global__ void swap_pairs(Pair* p) {
  Pair x = p[threadIdx.x];
  p[threadIdx.x] = {x.b, x.a};
}
void launch(Parts* out, const float* in) { split<<<1, 32>>>(out, in); dump(Parts{}); }
