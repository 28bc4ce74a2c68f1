// SPDX-License-Identifier: Apache-2.0
// Accurate float functions whose code holds no approximate instruction.
// launch: grid 4 block 256

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = static_cast<float>(in[i]) * 1e-7F;
  const float y = static_cast<float>(static_cast<int>(in[i + 1024])) * 1e-5F;
  unsigned r = __float_as_uint(sinf(x));
  r = r * 31 + __float_as_uint(cosf(y));
  r = r * 31 + __float_as_uint(logf(x + 1));
  r = r * 31 + __float_as_uint(atanf(y));
  r = r * 31 + __float_as_uint(sqrtf(x));
  r = r * 31 + __float_as_uint(x / (y + 0.5F));
  r = r * 31 + __float_as_uint(floorf(y) + ceilf(y) * 3 + truncf(y) + rintf(y) + roundf(y));
  r = r * 31 + __float_as_uint(fmodf(y, 1.75F));
  r = r * 31 + __float_as_uint(fmaf(x, y, x)) + __float_as_uint(fabsf(y));
  r = r * 31 + __float_as_uint(__fadd_ru(x, y)) + __float_as_uint(__fmul_rz(x, y));
  r = r * 31 + __float_as_uint(__fdiv_rd(x, y)) + __float_as_uint(__fsqrt_ru(x));
  int exponent = 0;
  r = r * 31 + __float_as_uint(frexpf(y, &exponent));
  r += static_cast<unsigned>(exponent);
  out[i] = r + (isnan(y) ? 1 : 0) + (isinf(y) ? 2 : 0) + (signbit(y) ? 4 : 0);
}
