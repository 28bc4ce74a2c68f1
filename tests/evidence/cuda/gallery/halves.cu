// SPDX-License-Identifier: Apache-2.0
// Half and bfloat16: every operator, comparison and conversion; functions without approximation.
//
// launch: half_operators grid 4 block 128
// launch: half_comparisons grid 4 block 128
// launch: half_conversions grid 4 block 128
// launch: half_functions grid 4 block 128
// launch: half2_operators grid 4 block 128
// launch: half2_comparisons grid 4 block 128
// launch: bfloat16_operators grid 4 block 128
// launch: bfloat16_pairs grid 4 block 128
// launch: half_shuffles_and_shared grid 2 block 64
// launch: half_approximate grid 4 block 128
// launch: half_reduction grid 4 block 128
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ __half half_of(unsigned bits) {
  return __ushort_as_half(static_cast<unsigned short>(bits));
}
__device__ unsigned bits(__half h) { return __half_as_ushort(h); }
__device__ unsigned bits(__half2 h) { return *reinterpret_cast<unsigned*>(&h); }
__device__ __half2 pair_of(unsigned word) { return *reinterpret_cast<__half2*>(&word); }
__device__ __nv_bfloat16 bfloat_of(unsigned b) {
  return __ushort_as_bfloat16(static_cast<unsigned short>(b));
}
__device__ unsigned bits(__nv_bfloat16 h) { return __bfloat16_as_ushort(h); }
__device__ unsigned bits(__nv_bfloat162 h) { return *reinterpret_cast<unsigned*>(&h); }
__device__ unsigned mix(unsigned r, unsigned x) { return r * 31 + x; }

extern "C" __global__ void half_operators(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 128 + threadIdx.x;
  const __half a = half_of(in[i]), b = half_of(in[i] >> 16), c = half_of(in[i + 1]);
  unsigned r = bits(a + b);
  r = mix(r, bits(a - b)), r = mix(r, bits(a * b)), r = mix(r, bits(-a)),
  r = mix(r, bits(__hfma(a, b, c)));
  r = mix(r, bits(__hadd_sat(a, b))), r = mix(r, bits(__hmul_sat(a, b))),
  r = mix(r, bits(__hsub_sat(a, b)));
  r = mix(r, bits(__hfma_sat(a, b, c))), r = mix(r, bits(__hfma_relu(a, b, c))),
  r = mix(r, bits(__habs(a)));
  r = mix(r, bits(__hadd_rn(a, b))), r = mix(r, bits(__hmul_rn(a, b))),
  r = mix(r, bits(__hsub_rn(c, b)));
  __half d = a;
  d += b;
  d *= c;
  d -= a;
  ++d;
  d--;
  out[i] = mix(r, bits(d));
}
extern "C" __global__ void half_comparisons(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 128 + threadIdx.x;
  const __half a = half_of(in[i]), b = i & 1   ? half_of(in[i] >> 16)
                                       : i & 2 ? a
                                               : half_of(in[i] ^ 0x8000);
  unsigned r = (a < b) + (a <= b) * 2 + (a > b) * 4 + (a >= b) * 8 + (a == b) * 16 + (a != b) * 32;
  r = r * 64 + __hltu(a, b) + __hleu(a, b) * 2 + __hgtu(a, b) * 4 + __hgeu(a, b) * 8 +
      __hequ(a, b) * 16 + __hneu(a, b) * 32;
  r = r * 4 + __hisnan(a) + __hisinf(b) * 2;
  out[i] = mix(mix(mix(mix(r, bits(__hmax(a, b))), bits(__hmin(a, b))), bits(__hmax_nan(a, b))),
               bits(__hmin_nan(a, b)));
}
extern "C" __global__ void half_conversions(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 128 + threadIdx.x;
  const float f = __uint_as_float(in[i] & 0x8fffffff | 0x30000000 + (in[i] & 0x08000000));
  const __half h = half_of(in[i]);
  unsigned r = bits(__float2half(f));
  r = mix(r, bits(__float2half_rz(f))), r = mix(r, bits(__float2half_ru(f))),
  r = mix(r, bits(__float2half_rd(f)));
  r = mix(r, __float_as_uint(__half2float(h))), r = mix(r, bits(__double2half(f * 1.0001)));
  r = mix(r, static_cast<unsigned>(__half2int_rn(h))),
  r = mix(r, static_cast<unsigned>(__half2int_rd(h))), r = mix(r, __half2uint_ru(h));
  r = mix(r, static_cast<unsigned>(__half2short_rz(h))), r = mix(r, __half2ushort_rn(h)),
  r = mix(r, static_cast<unsigned>(__half2ll_rn(h)));
  r = mix(r, bits(__int2half_rn(static_cast<int>(in[i]) >> 12))),
  r = mix(r, bits(__uint2half_rz(in[i] >> 14))),
  r = mix(r, bits(__ll2half_ru(static_cast<long long>(in[i]) - 500)));
  r = mix(r, bits(__short2half_rd(static_cast<short>(in[i])))),
  r = mix(r, static_cast<unsigned>(static_cast<char>(__half2char_rz(h))));
  r = mix(r, bits(htrunc(h))), r = mix(r, bits(hfloor(h))), r = mix(r, bits(hceil(h))),
  r = mix(r, bits(hrint(h)));
  out[i] = r;
}
extern "C" __global__ void half_functions(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 128 + threadIdx.x;
  const __half a = half_of(in[i]), b = half_of(in[i] >> 16 | 0x400);
  unsigned r = bits(a / b);
  r = mix(r, bits(__hdiv(b, a))), r = mix(r, bits(hsqrt(__habs(a))));
  const __half2 pair = __h2div(__halves2half2(a, b), __halves2half2(b, b));
  r = mix(r, bits(pair)), r = mix(r, bits(h2sqrt(__habs2(__halves2half2(a, b)))));
  out[i] = r;
}
extern "C" __global__ void half2_operators(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 128 + threadIdx.x;
  const __half2 a = pair_of(in[i]), b = pair_of(in[i + 1]), c = pair_of(in[i + 2]);
  unsigned r = bits(a + b);
  r = mix(r, bits(a - b)), r = mix(r, bits(a * b)), r = mix(r, bits(__hfma2(a, b, c))),
  r = mix(r, bits(__hneg2(a)));
  r = mix(r, bits(__hadd2_sat(a, b))), r = mix(r, bits(__hfma2_relu(a, b, c))),
  r = mix(r, bits(__hcmadd(a, b, c)));
  r = mix(r, bits(__lows2half2(a, b))), r = mix(r, bits(__highs2half2(a, b))),
  r = mix(r, bits(__lowhigh2highlow(a)));
  r = mix(r, bits(__low2half2(a))), r = mix(r, bits(__high2half(b))),
  r = mix(r, bits(__floats2half2_rn(1.5f, in[i] * 1e-6f)));
  const float2 f = __half22float2(c);
  r = mix(r, __float_as_uint(f.x) ^ __float_as_uint(f.y) >> 3);
  r = mix(r, bits(__hmax2(a, b))), r = mix(r, bits(__hmin2_nan(a, b))),
  r = mix(r, bits(h2floor(a))), r = mix(r, bits(h2rint(b)));
  out[i] = r;
}
extern "C" __global__ void half2_comparisons(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 128 + threadIdx.x;
  const __half2 a = pair_of(in[i]), b = pair_of(i & 1 ? in[i + 1] : in[i] ^ 0x00018000);
  unsigned r = bits(__hlt2(a, b));
  r = mix(r, bits(__heq2(a, b))), r = mix(r, bits(__hgeu2(a, b))), r = mix(r, bits(__hne2(a, b))),
  r = mix(r, __hlt2_mask(a, b));
  r = mix(r, __heq2_mask(a, b)), r = mix(r, __hgtu2_mask(a, b)),
  r = mix(r, __hbeq2(a, b) + __hble2(a, b) * 2 + __hbneu2(a, b) * 4);
  out[i] = mix(r, bits(__hisnan2(a)));
}
#if __CUDA_ARCH__ >= 800  // older ones lack __hfma() and __hfma2() for bfloat16
extern "C" __global__ void bfloat16_operators(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 128 + threadIdx.x;
  const __nv_bfloat16 a = bfloat_of(in[i]), b = bfloat_of(in[i] >> 16), c = bfloat_of(in[i + 1]);
  unsigned r = bits(a + b);
  r = mix(r, bits(a - b)), r = mix(r, bits(a * b)), r = mix(r, bits(a / b)), r = mix(r, bits(-a)),
  r = mix(r, bits(__hfma(a, b, c)));
  r = mix(r, bits(__hfma_relu(a, b, c))), r = mix(r, bits(__habs(a))),
  r = mix(r, bits(__hmax(a, b))), r = mix(r, bits(__hmin_nan(a, b)));
  r = mix(r, (a < b) + (a == b) * 2 + __hgeu(a, b) * 4 + __hisnan(a) * 8),
  r = mix(r, __float_as_uint(__bfloat162float(a)));
  r = mix(r, bits(__float2bfloat16(__uint_as_float(in[i + 3])))),
  r = mix(r, bits(__float2bfloat16_rz(__uint_as_float(in[i + 3]))));
  r = mix(r, static_cast<unsigned>(__bfloat162int_rn(a))),
  r = mix(r, bits(__int2bfloat16_rn(static_cast<int>(in[i])))),
  r = mix(r, bits(__double2bfloat16(in[i] * 0.37)));
  r = mix(r, bits(hfloor(a))), r = mix(r, bits(hrint(b))),
  r = mix(r, bits(__uint2bfloat16_rd(in[i])));
  out[i] = r;
}
extern "C" __global__ void bfloat16_pairs(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 128 + threadIdx.x;
  unsigned x = in[i], y = in[i + 1];
  const __nv_bfloat162 a = *reinterpret_cast<__nv_bfloat162*>(&x),
                       b = *reinterpret_cast<__nv_bfloat162*>(&y);
  unsigned r = bits(a + b);
  r = mix(r, bits(a * b)), r = mix(r, bits(__hsub2(a, b))), r = mix(r, bits(__hfma2(a, b, a))),
  r = mix(r, bits(__hmax2(a, b))), r = mix(r, bits(__habs2(a)));
  r = mix(r, bits(__floats2bfloat162_rn(x * 0.1f, y * 0.2f))), r = mix(r, __heq2_mask(a, b)),
  r = mix(r, bits(__hgt2(a, b)));
  out[i] = r;
}
#endif
extern "C" __global__ void half_shuffles_and_shared(unsigned* out, const unsigned* in) {
  __shared__ __half s[64];
  __shared__ __half2 pairs[64];
  const unsigned t = threadIdx.x, i = blockIdx.x * 64 + t;
  s[t] = half_of(in[i]);
  pairs[t] = pair_of(in[i]);
  __syncthreads();
  __half h = __shfl_xor_sync(0xffffffff, s[63 - t], 3);
  __half2 p = __shfl_down_sync(0xffffffff, pairs[t ^ 1], 2);
  atomicAdd(reinterpret_cast<__half2*>(out + 512), __floats2half2_rn(1, 2));
  const __half l = __ldg(reinterpret_cast<const __half*>(in) + i);
  out[i] = bits(h) ^ bits(p) ^ bits(l) << 8;
}
__device__ unsigned near(__half got, float want, float relative) {
  return fabsf(__half2float(got) - want) <= relative * fabsf(want) + 1e-6f;
}
extern "C" __global__ void half_approximate(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 128 + threadIdx.x;
  const float x = 0.1f + (in[i] & 0xffff) * 1e-4f;
  const __half h = __float2half(x);
  const float e = __half2float(h);
  unsigned r = near(hexp(h), expf(e), 2e-3f);
  r = r * 2 + near(hexp2(h), exp2f(e), 2e-3f);
  r = r * 2 + near(hlog(h), logf(e), 4e-3f);
  r = r * 2 + near(hlog2(h), log2f(e), 4e-3f);
  r = r * 2 + near(hrsqrt(h), 1 / sqrtf(e), 2e-3f);
  r = r * 2 + near(hrcp(h), 1 / e, 2e-3f);
  r = r * 2 + (fabsf(__half2float(hsin(h)) - sinf(e)) < 2e-3f);
  r = r * 2 + (fabsf(__half2float(hcos(h)) - cosf(e)) < 2e-3f);
  r = r * 2 + near(htanh(h), tanhf(e), 4e-3f);
  const __half2 two = h2exp(__halves2half2(h, __hneg(h)));
  r = r * 2 + near(__low2half(two), expf(e), 2e-3f) + near(__high2half(two), expf(-e), 2e-3f);
  r = r * 2 + near(__low2half(h2sin(__halves2half2(h, h))), sinf(e), 4e-3f);
  out[i] = r;
}
extern "C" __global__ void half_reduction(unsigned* out, const unsigned* in) {
  __shared__ __half s[128];
  const unsigned t = threadIdx.x;
  s[t] = __float2half((in[blockIdx.x * 128 + t] & 0xff) * 0.125f);
  for (unsigned d = 64; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) s[t] = __hadd(s[t], s[t + d]);
  }
  __syncthreads();
  __half2 v = __half2half2(s[0]);
  for (int k = 0; k < 10; ++k)
    v = __hfma2(v, __float2half2_rn(0.75f), __halves2half2(s[t], s[127 - t]));
  out[blockIdx.x * 128 + t] = bits(v);
}
