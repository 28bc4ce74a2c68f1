// SPDX-License-Identifier: Apache-2.0
// Products and sums in inline assembly without rounding modifiers, which ptxas may contract.
// launch: grid 4 block 256

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float a = __uint_as_float(0x3f800000 | (in[i] & 0x7fffff));
  const float b = __uint_as_float(0x3f800000 | (in[i + 1] & 0x7fffff));
  const float c = __uint_as_float(0xbf800000 | (in[i + 2] & 0x7fffff));
  float one;
  float two;
  float three;
  float four;
  asm("{.reg .f32 t; mul.f32 t, %1, %2; add.f32 %0, t, %3;}" : "=f"(one) : "f"(a), "f"(b), "f"(c));
  asm("{.reg .f32 t; mul.f32 t, %1, %2; sub.f32 %0, %3, t;}" : "=f"(two) : "f"(a), "f"(b), "f"(c));
  asm("{.reg .f32 t; mul.rn.f32 t, %1, %2; add.f32 %0, t, %3;}"
      : "=f"(three)
      : "f"(a), "f"(b), "f"(c));
  asm("{.reg .f32 t; mul.f32 t, %1, %2; add.rn.f32 %0, t, %3;}"
      : "=f"(four)
      : "f"(a), "f"(b), "f"(c));
  out[i] = __float_as_uint(one) + 3 * __float_as_uint(two) + 5 * __float_as_uint(three) +
           7 * __float_as_uint(four);
}
