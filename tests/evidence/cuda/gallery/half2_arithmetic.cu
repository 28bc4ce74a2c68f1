// SPDX-License-Identifier: Apache-2.0
// Paired half precision: __half2 operators, fma, comparisons, packing.
// launch: grid 4 block 256
#include <cuda_fp16.h>

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const __half2 a = __floats2half2_rn(static_cast<float>(in[i] & 0xfff) / 64.0F,
                                      -static_cast<float>(in[i] >> 20) / 16.0F);
  const __half2 b = __halves2half2(__high2half(a), __float2half(0.333F));
  const auto bits = [](__half2 h) { return *reinterpret_cast<const unsigned*>(&h); };
  unsigned r = bits(a + b);
  r = r * 31 + bits(a * b);
  r = r * 31 + bits(__hfma2(a, b, a));
  r = r * 31 + bits(__hsub2(b, a));
  r = r * 31 + bits(__hmin2(a, b)) + bits(__hmax2(a, b));
  r = r * 31 + bits(__hgt2(a, b)) + bits(__habs2(a)) + bits(__hneg2(b));
  r = r * 31 + bits(__lowhigh2highlow(a)) + bits(__low2half2(b));
  r = r * 31 + (__hbeq2(a, a) ? 1 : 0) + (__hblt2(a, b) ? 2 : 0);
  r = r * 31 + __hgt2_mask(a, b);
  const float2 f = __half22float2(a);
  out[i] = r + __float_as_uint(f.x + f.y);
}
