// SPDX-License-Identifier: Apache-2.0
// bfloat16: operators, fma, conversions, comparisons, pairs.
// launch: grid 4 block 256
#include <cuda_bf16.h>

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const __nv_bfloat16 a = __ushort_as_bfloat16(static_cast<unsigned short>(in[i]));
  const __nv_bfloat16 b = __float2bfloat16(static_cast<float>(static_cast<int>(in[i])) * 1e-3F);
  const __nv_bfloat16 c = __float2bfloat16_rz(static_cast<float>(in[i + 1024]) * 1e-5F);
  const auto bits = [](__nv_bfloat162 h) { return *reinterpret_cast<const unsigned*>(&h); };
  unsigned r = __bfloat16_as_ushort(b + c);
  r = r * 31 + __bfloat16_as_ushort(b - c);
  r = r * 31 + __bfloat16_as_ushort(b * c);
  r = r * 31 + __bfloat16_as_ushort(__hfma(b, c, b));
  r = r * 31 + __bfloat16_as_ushort(__hneg(a)) + __bfloat16_as_ushort(__habs(b));
  r = r * 31 + __bfloat16_as_ushort(__hmax(b, c)) + __bfloat16_as_ushort(__hmin(b, c));
  r = r * 31 + (b < c) + 2 * (__hisnan(a) ? 1 : 0);
  r = r * 31 + static_cast<unsigned>(__bfloat162int_rz(b));
  r = r * 31 + __bfloat16_as_ushort(__int2bfloat16_rn(static_cast<int>(in[i])));
  const __nv_bfloat162 p = __floats2bfloat162_rn(__bfloat162float(b), 1.5F);
  const __nv_bfloat162 q = __halves2bfloat162(c, b);
  r = r * 31 + bits(__hfma2(p, q, p));
  r = r * 31 + bits(__hadd2(p, q)) + bits(__hmul2(p, q)) + bits(__hgt2(p, q));
  out[i] = r;
}
