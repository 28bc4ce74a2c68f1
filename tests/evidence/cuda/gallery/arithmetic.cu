// SPDX-License-Identifier: Apache-2.0
// Arithmetic of each type, and functions.

//--- bfloat16_arithmetic
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

//--- collatz
// Collatz lengths: loops of very different lengths in one warp.
// launch: grid 4 block 256

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long n = (in[i] & 0xffff) + 1;
  unsigned steps = 0;
  while (n != 1) {
    n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    ++steps;
  }
  out[i] = steps;
}

//--- double_arithmetic
// Double arithmetic: division, square root, fma, rounding, conversions.
// launch: grid 4 block 256

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const double a = static_cast<double>(static_cast<int>(in[i])) * 1.0e-3;
  const double b = static_cast<double>(in[i + 1024] | 1) / 7.0;
  double r = a / b + sqrt(b) - fma(a, b, 1.0 / 3.0) * 1e-9;
  r += floor(a) + ceil(a * 0.5) + trunc(b) + rint(a) + fabs(a) + fmin(a, b) + fmax(a, b);
  r += __ddiv_rz(a, b) + __dsqrt_ru(b) + __dadd_rd(a, b) + __dmul_ru(a, b) * 1e-12;
  r += static_cast<double>(static_cast<float>(b)) + static_cast<double>(static_cast<long long>(a));
  r += fmod(b, 10.0) + copysign(1.0, a) + ldexp(1.0, static_cast<int>(in[i] % 8)) + rsqrt(b) * 0;
  const auto bits = static_cast<unsigned long long>(__double_as_longlong(r));
  out[i] = static_cast<unsigned>(bits) ^ static_cast<unsigned>(bits >> 32);
}

//--- double_functions
// exp, log, sin, cos, pow and cbrt in double: the library's own code.
// launch: grid 4 block 256

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const double x = static_cast<double>(in[i]) / 1.0e8;
  double r = exp(-x) + log(x + 1) + sin(x) + cos(x) + pow(x, 1.5) + tanh(x) + erf(x);
  r += atan2(x, 3.0) + log10(x + 2) + exp2(x * 0.1) + hypot(x, 2.0);
  const auto bits = static_cast<unsigned long long>(__double_as_longlong(r));
  out[i] = static_cast<unsigned>(bits) ^ static_cast<unsigned>(bits >> 32);
}

//--- fast_integer_division
// Divisions by constants, upper halves of 64-bit products, variable shifts.
// launch: grid 4 block 256

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned a = in[i];
  const unsigned long long low = (static_cast<unsigned long long>(a) << 29) * in[i + 1];
  const unsigned long long high = __umul64hi(~low, low << 7 | in[i + 1]);
  const long long far = __mul64hi(static_cast<long long>(low), -static_cast<long long>(high));
  unsigned r = a / 7 + a % 1000 + static_cast<unsigned>(static_cast<int>(a) / 10);
  r += static_cast<unsigned>(static_cast<long long>(static_cast<unsigned long long>(a) << 31) /
                             12345);
  r ^= static_cast<unsigned>(high) ^ static_cast<unsigned>(far >> 3);
  r += static_cast<unsigned>(static_cast<int>(a) >> (a & 31)) + (a << (in[i + 2] & 31));
  out[i] = r;
}

//--- float_approximate
// Float functions built on approximate instructions, compared with the accurate double ones.
// launch: grid 4 block 256

__device__ unsigned near(float got, double want, double relative) {
  return fabs(static_cast<double>(got) - want) <= relative * fabs(want) + 1e-30 ? 1 : 0;
}
extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = static_cast<float>(in[i] & 0xffffff) * 1e-6F + 0.01F;
  const double d = x;
  unsigned r = near(expf(x), exp(d), 5e-7);
  r = r * 2 + near(exp2f(x), exp2(d), 5e-7);
  r = r * 2 + near(powf(x, 1.3F), pow(d, static_cast<double>(1.3F)), 1e-6);
  r = r * 2 + near(rsqrtf(x), 1 / sqrt(d), 5e-7);
  r = r * 2 + near(tanhf(x), tanh(d), 5e-7);
  r = r * 2 + near(__fdividef(x, 3.0F), d / 3, 5e-7);
  r = r * 2 + near(__expf(x), exp(d), 1e-5);
  r = r * 2 + (fabs(__sinf(x * 0.1F) - sin(static_cast<double>(x * 0.1F))) < 1e-6 ? 1 : 0);
  r = r * 2 + (fabs(__cosf(x * 0.1F) - cos(static_cast<double>(x * 0.1F))) < 1e-6 ? 1 : 0);
  r = r * 2 + (fabs(__logf(x) - log(d)) < 1e-5 ? 1 : 0);
  out[i] = r;
}

//--- float_contracted
// Float products and sums separated by branches and loops, and products used twice.
// launch: grid 4 block 256

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const auto value = [&](unsigned at) { return __uint_as_float(0x3f800000 | (in[at] & 0x7fffff)); };
  const float far = value(i) * value(i + 1);
  float r = 1;
  if (in[i] & 1) r = far + value(i + 2);
  float p = value(i + 3);
  if (in[i] & 2) p = value(i + 4) * value(i + 5);
  r = p + r;
  const float twice = value(i + 6) * value(i + 7);
  r = r * (twice + 0.1F) + (twice - 0.3F);
  double d = static_cast<double>(value(i)) * static_cast<double>(value(i + 1)) / 3.0;
  for (unsigned k = 0; k < (in[i] & 7); ++k) d = d * static_cast<double>(value(i + k)) + 1.0 / 3.0;
  float product = 1;
  for (unsigned k = 0; k < 4; ++k) product *= value(i + k);
  r = product + r;
  out[i] = __float_as_uint(r) ^ static_cast<unsigned>(__double_as_longlong(d) >> 13);
}

//--- float_contracted_assembly
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

//--- float_functions
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

//--- half2_arithmetic
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

//--- half2_contracted
// Operator products and sums of half pairs and of bfloat16, with a loop.
// launch: grid 4 block 256
#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const auto bits = [](__half2 v) { return *reinterpret_cast<const unsigned*>(&v); };
  const auto pair = [&](unsigned at) {
    return __halves2half2(
        __ushort_as_half(static_cast<unsigned short>(0x3c00 | (in[at] & 0x3ff))),
        __ushort_as_half(static_cast<unsigned short>(0xbc00 | (in[at] >> 20 & 0x3ff))));
  };
  const auto brain = [&](unsigned at) {
    return __ushort_as_bfloat16(static_cast<unsigned short>(0x3f80 | (in[at] & 0x7f)));
  };
  __half2 sum = pair(i);
  for (int k = 1; k < 6; ++k) sum = sum + pair(i + k) * pair(i + 2 * k);
  unsigned r = bits(sum) + 5 * bits(pair(i) * pair(i + 9) - pair(i + 1));
  r = r * 31 + __bfloat16_as_ushort(brain(i) * brain(i + 1) + brain(i + 2));
  r = r * 31 + __bfloat16_as_ushort(brain(i) - brain(i + 1) * brain(i + 3));
  __nv_bfloat16 total = brain(i);
  for (unsigned k = 0; k < 3 + (in[i] & 3); ++k) total += brain(i + k) * brain(i + 2 * k);
  out[i] = r * 31 + __bfloat16_as_ushort(total);
}

//--- half_arithmetic
// Scalar half precision: every operator, fma, conversions, comparisons, saturation.
// launch: grid 4 block 256
#include <cuda_fp16.h>

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const __half a = __ushort_as_half(static_cast<unsigned short>(in[i]));
  const __half b = __ushort_as_half(static_cast<unsigned short>(in[i] >> 16));
  const __half c = __float2half(static_cast<float>(in[i + 1024] & 0xffff) / 4096.0F);
  unsigned r = __half_as_ushort(a + b);
  r = r * 31 + __half_as_ushort(a - b);
  r = r * 31 + __half_as_ushort(a * c);
  r = r * 31 + __half_as_ushort(__hfma(a, c, b));
  r = r * 31 + __half_as_ushort(__hfma_sat(b, c, a));
  r = r * 31 + __half_as_ushort(__hadd_sat(a, c));
  r = r * 31 + __half_as_ushort(__hfma_relu(a, c, b));
  r = r * 31 + __half_as_ushort(__hneg(a));
  r = r * 31 + __half_as_ushort(__habs(b));
  r = r * 31 + __half_as_ushort(__hmin(a, b));
  r = r * 31 + __half_as_ushort(__hmax_nan(a, c));
  r = r * 31 + __hlt(a, b) + 2 * __hgeu(a, c) + 4 * __hisnan(a) + 8 * (a == b);
  r = r * 31 + static_cast<unsigned>(__half2int_rn(c));
  r = r * 31 + static_cast<unsigned>(__half2short_rz(b));
  r = r * 31 + __half_as_ushort(__int2half_rn(static_cast<int>(in[i]) >> 8));
  r = r * 31 + __half_as_ushort(__double2half(static_cast<double>(in[i]) / 65537.0));
  r = r * 31 + __half_as_ushort(__float2half_rz(__half2float(c) * 1.0001F));
  r = r * 31 + __half_as_ushort(htrunc(c)) + __half_as_ushort(hceil(c)) +
      __half_as_ushort(hrint(c));
  out[i] = r;
}

//--- half_contracted
// Operator products and sums of halves: some may become an fma, some products have several readers,
// some sums loop.
// launch: grid 4 block 256
#include <cuda_fp16.h>

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const auto value = [&](unsigned at) {
    return __ushort_as_half(static_cast<unsigned short>(0x3c00 | (in[at] & 0x3ff)));
  };
  const __half a = value(i);
  const __half b = value(i + 1);
  const __half c = value(i + 2);
  unsigned r = __half_as_ushort(a * b + c);
  r = r * 31 + __half_as_ushort(c - b * a);
  r = r * 31 + __half_as_ushort(b * c - a);
  const __half shared = a * c;
  r = r * 31 + __half_as_ushort(shared + b) + 7 * __half_as_ushort(shared);
  const __half twice = b * value(i + 3);
  r = r * 31 + __half_as_ushort(twice + a) + 7 * __half_as_ushort(twice - c);
  r = r * 31 + __half_as_ushort(a * value(i + 4) + b * value(i + 5));
  r = r * 31 + __half_as_ushort(__hmul_rn(a, value(i + 6)) + c);
  r = r * 31 + __half_as_ushort(__hadd_rn(a * value(i + 7), c));
  const __half far = a * value(i + 8);
  if (in[i] & 1) r = r * 31 + __half_as_ushort(far + b);
  __half sum = c;
  for (unsigned k = 0; k < 5 + (in[i] & 7); ++k) sum = sum + value(i + k) * value(i + 2 * k);
  out[i] = r * 31 + __half_as_ushort(sum);
}

//--- integer_intrinsics
// Integer intrinsics: bit counts, permutations, funnel shifts, high halves of products, dot
// products.
// launch: grid 4 block 256

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned a = in[i];
  const unsigned b = in[i + 1024];
  const auto w = static_cast<unsigned long long>(a) << 32 | b;
  unsigned r = __popc(a) + __clz(static_cast<int>(b)) * 33 + __ffs(static_cast<int>(a)) * 7;
  r = r * 31 + __brev(a);
  r = r * 31 + __byte_perm(a, b, a & 0x7777);
  r = r * 31 + __funnelshift_l(a, b, b) + __funnelshift_rc(a, b, b & 63);
  r = r * 31 + __umulhi(a, b) +
      static_cast<unsigned>(__mulhi(static_cast<int>(a), static_cast<int>(b)));
  r = r * 31 + static_cast<unsigned>(__umul64hi(w, w)) +
      __mul24(static_cast<int>(a), static_cast<int>(b)) + __umul24(a, b);
  r = r * 31 + __usad(a, b, 3) + __sad(static_cast<int>(a), static_cast<int>(b), 9u);
  r = r * 31 + __uhadd(a, b) +
      static_cast<unsigned>(__rhadd(static_cast<int>(a), static_cast<int>(b)));
  r = r * 31 + __dp4a(a, b, 5u) +
      static_cast<unsigned>(__dp4a(static_cast<int>(a), static_cast<int>(b), 5));
  r = r * 31 + __dp2a_lo(a, b, 5u) +
      static_cast<unsigned>(__dp2a_hi(static_cast<int>(a), static_cast<int>(b), 5));
  r = r * 31 + static_cast<unsigned>(__popcll(w)) +
      static_cast<unsigned>(__clzll(static_cast<long long>(w))) +
      static_cast<unsigned>(__ffsll(static_cast<long long>(w)));
  r = r * 31 + static_cast<unsigned>(__brevll(w)) + __fns(a, 0, 3);
  r = r * 31 + a / (b | 1) + a % (b | 1) +
      static_cast<unsigned>(static_cast<int>(a) / static_cast<int>(b | 1));
  r = r * 31 + static_cast<unsigned>(w / (a | 1)) +
      static_cast<unsigned>(static_cast<long long>(w) % static_cast<long long>(b | 1));
  r = r * 31 + static_cast<unsigned>(abs(static_cast<int>(a))) + min(a, b) +
      static_cast<unsigned>(max(static_cast<int>(a), static_cast<int>(b)));
  out[i] = r;
}

//--- mandelbrot
// Mandelbrot set in float.
// launch: grid 4,4 block 8,8

extern "C" __global__ void kernel(unsigned* out, const unsigned*) {
  const int px = blockIdx.x * 8 + threadIdx.x;
  const int py = blockIdx.y * 8 + threadIdx.y;
  const float cx = -2.0F + static_cast<float>(px) * (3.0F / 32);
  const float cy = -1.5F + static_cast<float>(py) * (3.0F / 32);
  float x = 0;
  float y = 0;
  unsigned steps = 0;
  while (steps < 200 && x * x + y * y < 4.0F) {
    const float next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
    ++steps;
  }
  out[py * 32 + px] = steps ^ __float_as_uint(x);
}

//--- mul_then_add
// Products followed by sums: contracted at the compiler's choice, or kept apart by intrinsics.
// launch: grid 4 block 256

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = __uint_as_float(0x3f800000 | (in[i] & 0x7fffff));
  const float y = __uint_as_float(0x3f800000 | (in[i + 1024] & 0x7fffff));
  const float product = x * y;
  const float apart = __fadd_rn(__fmul_rn(x, y), -1.5F);
  const float fused = x * y - 1.5F;
  const float kept = product - y * x;
  out[i] = __float_as_uint(apart) ^ __float_as_uint(fused) * 3 ^ __float_as_uint(kept) * 5;
}

//--- narrow_types
// Bytes and shorts, signed and unsigned, in vectors and bit fields.
// launch: grid 4 block 256

struct Fields {
  unsigned low : 5;
  int middle : 9;
  unsigned high : 18;
};
extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const auto* bytes = reinterpret_cast<const signed char*>(in);
  const auto* shorts = reinterpret_cast<const unsigned short*>(in);
  const uchar4 four = reinterpret_cast<const uchar4*>(in)[i + 7];
  const short2 two = reinterpret_cast<const short2*>(in)[i + 9];
  signed char c = static_cast<signed char>(bytes[i] * 3);
  unsigned short s = static_cast<unsigned short>(shorts[i] >> 3);
  c = static_cast<signed char>(c >> 1);
  s = static_cast<unsigned short>(s * s + four.w);
  Fields f;
  f.low = in[i] & 31;
  f.middle = static_cast<int>(in[i] >> 5) & 511;
  f.high = in[i] >> 14;
  reinterpret_cast<unsigned char*>(out)[4 * i] = static_cast<unsigned char>(c);
  reinterpret_cast<unsigned char*>(out)[4 * i + 1] = four.x ^ four.z;
  reinterpret_cast<short*>(out)[2 * i + 1] =
      static_cast<short>(s + two.x / 3 + two.y % 7 + f.middle + static_cast<int>(f.low * f.high));
}

//--- random_xorshift
// A pseudo-random number generator and a Monte Carlo estimate.
// launch: grid 4 block 256

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long s = in[i] | 1ULL << 40;
  unsigned inside = 0;
  for (int k = 0; k < 100; ++k) {
    s ^= s << 13;
    s ^= s >> 7;
    s ^= s << 17;
    const float x = static_cast<float>(static_cast<unsigned>(s) >> 8) * 0x1p-24F;
    const float y = static_cast<float>(static_cast<unsigned>(s >> 40)) * 0x1p-24F;
    if (x * x + y * y <= 1.0F) ++inside;
  }
  out[i] = inside ^ static_cast<unsigned>(s);
}

//--- simd_in_a_word
// The SIMD intrinsics for bytes and half words.
// launch: grid 4 block 256

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned a = in[i];
  const unsigned b = in[i + 1024];
  unsigned r = __vadd4(a, b);
  r = r * 31 + __vsub4(a, b) + __vabs4(a) + __vneg2(b) + __vadd2(a, b);
  r = r * 31 + __vaddus4(a, b) + __vsubss2(a, b) + __vaddss4(a, b) + __vsubus4(a, b);
  r = r * 31 + __vmaxu4(a, b) + __vmins2(a, b) + __vminu4(a, b) + __vmaxs4(a, b);
  r = r * 31 + __vabsdiffu4(a, b) + __vabsdiffs2(a, b) + __vsadu4(a, b) + __vsads4(a, b);
  r = r * 31 + __vcmpeq4(a, b) + __vcmpgtu2(a, b) + __vsetlts4(a, b) + __vcmpges4(a, b);
  r = r * 31 + __vavgu4(a, b) + __vavgs2(a, b) + __vhaddu4(a, b);
  r = r * 31 + __viaddmax_s32(static_cast<int>(a), static_cast<int>(b), 7) + __vimax3_u32(a, b, 9u);
  r = r * 31 + __vimin_s32_relu(static_cast<int>(a), static_cast<int>(b)) +
      __vimax3_s16x2(a, b, 3u);
  out[i] = r;
}
