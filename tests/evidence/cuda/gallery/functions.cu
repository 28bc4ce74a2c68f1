// SPDX-License-Identifier: Apache-2.0
// All of math.h over edge values in float and double, and the arithmetic intrinsics. Functions that
// use approximate instructions are compared with double, or their words are not compared:
// `approximate 4:0` excludes words 0, 4, 8 and so on.
//
// launch: float_rounding_functions grid 2 block 128
// launch: float_trigonometric grid 2 block 128 approximate 4:0
// launch: float_logarithms grid 2 block 128 approximate 4:3
// launch: float_classification grid 2 block 128
// launch: float_exponentials_near grid 2 block 128
// launch: float_special_near grid 2 block 128
// launch: float_directed grid 2 block 128
// launch: double_rounding_functions grid 2 block 128
// launch: double_exponentials grid 2 block 64
// launch: double_trigonometric grid 2 block 64
// launch: double_hyperbolic grid 2 block 64
// launch: double_special grid 2 block 64 approximate 8:6,7
// launch: double_directed grid 2 block 128
// launch: double_edges grid 2 block 64 approximate 4:3
// launch: large_arguments grid 2 block 64 approximate 4:1
// launch: norms_and_hypot grid 2 block 64
// launch: fast_math_near grid 2 block 128

__device__ float edge(const unsigned* in, unsigned i) {
  const unsigned special[24] = {0,          0x80000000, 1,          0x80000001, 0x007fffff,
                                0x00800000, 0x3f800000, 0xbf800000, 0x3f000000, 0xbf000000,
                                0x40200000, 0xc0200000, 0x7f7fffff, 0xff7fffff, 0x7f800000,
                                0xff800000, 0x7fc00000, 0x4b000000, 0x4b7fffff, 0x5f000000,
                                0x3effffff, 0x40490fdb, 0x42c80000, 0xc2c80000};
  return __uint_as_float(i < 24  ? special[i]
                         : i % 2 ? in[i]
                                 : in[i] & 0xc7ffffff | 0x38000000 & (in[i] >> 2));
}
__device__ double wide_edge(const unsigned* in, unsigned i) {
  if (i < 24) return edge(in, i);
  return __hiloint2double(static_cast<int>(i % 2 ? in[i] : (in[i] & 0x81ffffff) | 0x3e000000),
                          static_cast<int>(in[i + 1]));
}
__device__ unsigned b(float f) { return __float_as_uint(f); }
// If several operands are NaNs, the payload of the result is unspecified.
__device__ unsigned b(double d) {
  return isnan(d) ? 0x7ff80000u
                  : static_cast<unsigned>(__double2loint(d)) * 7 ^
                        static_cast<unsigned>(__double2hiint(d));
}
__device__ unsigned mix(unsigned r, unsigned x) { return r * 31 + x; }

extern "C" __global__ void float_rounding_functions(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 128 + threadIdx.x;
  const float x = edge(in, i), y = edge(in, (i * 7 + 3) & 255);
  unsigned r = b(floorf(x));
  r = mix(r, b(ceilf(x))), r = mix(r, b(truncf(x))), r = mix(r, b(rintf(x))),
  r = mix(r, b(roundf(x))), r = mix(r, b(nearbyintf(x)));
  out[4 * i] = r;
  float whole;
  int quotient, exponent;
  r = b(fmodf(x, y));
  r = mix(r, b(remainderf(x, y))), r = mix(r, b(remquof(x, y, &quotient))),
  r = mix(r, quotient & 7);
  r = mix(r, b(modff(x, &whole)) ^ b(whole)),
  r = mix(r, b(frexpf(x, &exponent)) ^ exponent * (isfinite(x) ? 1 : 0));
  out[4 * i + 1] = r;
  r = b(ldexpf(x, static_cast<int>(i % 300) - 150));
  r = mix(r, b(scalbnf(x, 5 - static_cast<int>(i)))), r = mix(r, b(nextafterf(x, y))),
  r = mix(r, b(fdimf(x, y)));
  r = mix(r, b(fminf(x, y))), r = mix(r, b(fmaxf(x, y))), r = mix(r, b(copysignf(x, y))),
  r = mix(r, b(fabsf(x))), r = mix(r, b(fmaf(x, y, 1)));
  out[4 * i + 2] = r;
  r = b(x / y);
  r = mix(r, b(sqrtf(x))), r = mix(r, b(1 / x)),
  r = mix(r, static_cast<unsigned>(ilogbf(x)) * (isfinite(x) && x != 0)), r = mix(r, b(logbf(x)));
  out[4 * i + 3] =
      mix(r, static_cast<unsigned>(lroundf(isfinite(x) ? fminf(fmaxf(x, -1e9f), 1e9f) : 0)));
}
extern "C" __global__ void float_trigonometric(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 128 + threadIdx.x;
  const float x = edge(in, i), y = edge(in, (i * 5 + 1) & 255);
  float s, c;
  sincosf(x, &s, &c);
  unsigned r = b(sinf(x));
  r = mix(r, b(cosf(x))), r = mix(r, b(tanf(x))), r = mix(r, b(s)), r = mix(r, b(c));
  out[4 * i] = r;
  sincospif(x, &s, &c);
  r = mix(b(sinpif(x)), b(cospif(x))), r = mix(r, b(s)), r = mix(r, b(c));
  out[4 * i + 1] = r;
  out[4 * i + 2] = mix(mix(b(atanf(x)), b(asinf(x))), b(acosf(x)));
  out[4 * i + 3] = b(atan2f(x, y));
}
extern "C" __global__ void float_logarithms(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 128 + threadIdx.x;
  const float x = edge(in, i);
  out[4 * i] = b(logf(x));
  out[4 * i + 1] = mix(b(log1pf(x)), b(log10f(x)));
  out[4 * i + 2] = b(log2f(x));
  out[4 * i + 3] = mix(b(cbrtf(x)), b(atanhf(x)));
}
extern "C" __global__ void float_classification(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 128 + threadIdx.x;
  const float x = edge(in, i), y = edge(in, (i * 11 + 5) & 255);
  unsigned r = isnan(x) + isinf(x) * 2 + isfinite(x) * 4 + (signbit(x) != 0) * 8;
  r = r * 64 + (x < y) + (x <= y) * 2 + (x == y) * 4 + (x != y) * 8 + (x > y) * 16 + !(x >= y) * 32;

  const double d = x, e = y;
  out[i] = r * 64 + (isnan(d) ? 1 : 0) + (isinf(e) ? 2 : 0) + (d < e) * 4 + (d != e) * 8 +
           (signbit(d) ? 16 : 0) + (__isnanf(x) ? 32 : 0);
}
// Whether a float function is within `ulps` units in the last place of the double result.
__device__ unsigned near(float got, double want, double ulps) {
  const float nearest = static_cast<float>(want);
  if (isnan(got) || isnan(nearest)) return isnan(got) && isnan(nearest) ? 1 : 0;
  if (isinf(got) || isinf(nearest)) return got == nearest || fabs(want) > 3.4028e38 ? 1 : 0;
  return fabs(got - want) <= ulps * fmax(fabs(want) * 1.2e-7, 1.5e-45) ? 1 : 0;
}
extern "C" __global__ void float_exponentials_near(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 128 + threadIdx.x;
  const float x = edge(in, i), y = edge(in, (i * 3 + 7) & 255);
  unsigned r = near(expf(x), exp(static_cast<double>(x)), 2);
  r = r * 2 + near(exp2f(x), exp2(static_cast<double>(x)), 2),
  r = r * 2 + near(exp10f(x), exp10(static_cast<double>(x)), 3);
  r = r * 2 + near(expm1f(x), expm1(static_cast<double>(x)), 3),
  r = r * 2 + near(powf(x, y), pow(static_cast<double>(x), static_cast<double>(y)), 8);
  r = r * 2 + near(sinhf(x), sinh(static_cast<double>(x)), 4),
  r = r * 2 + near(coshf(x), cosh(static_cast<double>(x)), 3);
  r = r * 2 + near(tanhf(x), tanh(static_cast<double>(x)), 3),
  r = r * 2 + near(rsqrtf(x), rsqrt(static_cast<double>(x)), 3);
  out[i] = r * 2 + near(rcbrtf(x), rcbrt(static_cast<double>(x)), 3);
}
extern "C" __global__ void float_special_near(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 128 + threadIdx.x;
  const float x = edge(in, i);
  const double d = x;
  unsigned r = near(erff(x), erf(d), 3);
  r = r * 2 + near(erfcf(x), erfc(d), 6), r = r * 2 + near(asinhf(x), asinh(d), 4),
  r = r * 2 + near(acoshf(x), acosh(d), 5);
  r = r * 2 + (fabsf(x) > 100 || near(normcdff(x), normcdf(d), 8)),
  r = r * 2 + near(erfinvf(x), erfinv(d), 5);
  r = r * 2 + (fabsf(x) > 50 || fabs(j0f(x) - j0(d)) < 1e-5),
  r = r * 2 + (fabsf(x) > 50 || fabs(j1f(x) - j1(d)) < 1e-5);
  r = r * 2 + (!(x > 0.01f && x < 30) || near(tgammaf(x), tgamma(d), 12)),
  r = r * 2 + (!(x > 3 && x < 1e6) || near(lgammaf(x), lgamma(d), 12));
  out[i] = r;
}
extern "C" __global__ void float_directed(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 128 + threadIdx.x;
  const float x = edge(in, i), y = edge(in, (i * 13 + 9) & 255), z = edge(in, (i * 3 + 2) & 255);
  unsigned r =
      mix(mix(b(__fadd_rn(x, y)), b(__fadd_rz(x, y))), mix(b(__fadd_ru(x, y)), b(__fadd_rd(x, y))));
  out[4 * i] = mix(mix(r, b(__fsub_rz(x, y))), b(__fsub_rd(x, y)));
  out[4 * i + 1] =
      mix(mix(b(__fmul_rn(x, y)), b(__fmul_rz(x, y))), mix(b(__fmul_ru(x, y)), b(__fmul_rd(x, y))));
  out[4 * i + 2] = mix(mix(b(__fmaf_rn(x, y, z)), b(__fmaf_rz(x, y, z))),
                       mix(b(__fmaf_ru(x, y, z)), b(__fmaf_rd(x, y, z))));
  r = mix(mix(b(__fdiv_rn(x, y)), b(__fdiv_rz(x, y))), mix(b(__fdiv_ru(x, y)), b(__fdiv_rd(x, y))));
  r = mix(r, mix(mix(b(__fsqrt_rn(x)), b(__fsqrt_rz(x))), mix(b(__fsqrt_ru(x)), b(__fsqrt_rd(x)))));
  out[4 * i + 3] =
      mix(r, mix(mix(b(__frcp_rn(x)), b(__frcp_rz(x))), mix(b(__frcp_ru(x)), b(__frcp_rd(x)))));
}
extern "C" __global__ void double_rounding_functions(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 128 + threadIdx.x;
  const double x = wide_edge(in, i), y = wide_edge(in, (i * 7 + 3) & 255);
  double whole;
  int exponent, quotient;
  unsigned r = mix(mix(b(floor(x)), b(ceil(x))), mix(b(trunc(x)), b(rint(x))));
  out[4 * i] = mix(r, b(round(x)));
  r = mix(b(modf(x, &whole)), b(whole));
  out[4 * i + 1] = mix(r, mix(b(frexp(x, &exponent)), isfinite(x) ? exponent : 0));
  const double m = isnan(x) || isnan(y) ? 0 : x, n = isnan(x) || isnan(y) ? 1 : y;
  r = mix(b(fmin(x, y)), b(fmax(x, y)));
  r = mix(r, b(fdim(m, n))), r = mix(r, b(copysign(x, y))), r = mix(r, b(nextafter(m, n))),
  r = mix(r, b(ldexp(x, 7 - static_cast<int>(i))));
  out[4 * i + 2] = r;
  const double p = fmin(fmax(m, -1e12), 1e12), q = fabs(n) < 1e-3 || isinf(n) ? 3.5 : n;
  r = mix(mix(b(fmod(p, q)), b(remainder(p, q))), mix(b(remquo(p, q, &quotient)), quotient & 7));
  out[4 * i + 3] = r;
}
extern "C" __global__ void double_exponentials(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  const double x = edge(in, i), y = edge(in, (i * 5 + 2) & 127);
  out[8 * i] = b(exp(x));
  out[8 * i + 1] = b(exp2(x));
  out[8 * i + 2] = b(exp10(x));
  out[8 * i + 3] = b(expm1(x));
  out[8 * i + 4] = b(log(x));
  out[8 * i + 5] = mix(b(log2(x)), b(log10(x)));
  out[8 * i + 6] = b(log1p(x));
  out[8 * i + 7] = b(pow(x, y));
}
extern "C" __global__ void double_trigonometric(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  const double x = wide_edge(in, i), y = wide_edge(in, (i * 3 + 5) & 127);
  double s, c;
  sincos(x, &s, &c);
  out[8 * i] = b(sin(x));
  out[8 * i + 1] = b(cos(x));
  out[8 * i + 2] = b(tan(x));
  out[8 * i + 3] = mix(b(s), b(c));
  out[8 * i + 4] = mix(b(sinpi(x)), b(cospi(x)));
  out[8 * i + 5] = mix(b(asin(x)), b(acos(x)));
  out[8 * i + 6] = b(atan(x));
  out[8 * i + 7] = b(atan2(x, y));
}
extern "C" __global__ void double_hyperbolic(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  const double x = edge(in, i);
  out[8 * i] = b(sinh(x));
  out[8 * i + 1] = b(cosh(x));
  out[8 * i + 2] = b(tanh(x));
  out[8 * i + 3] = b(asinh(x));
  out[8 * i + 4] = b(acosh(x));
  out[8 * i + 5] = b(atanh(x));
  out[8 * i + 6] = b(cbrt(x));
  out[8 * i + 7] = b(rcbrt(x));
}
extern "C" __global__ void double_special(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  const double x = edge(in, i);
  out[8 * i] = b(erf(x));
  out[8 * i + 1] = b(erfc(x));
  out[8 * i + 2] = b(tgamma(x));
  out[8 * i + 3] = b(lgamma(x));
  out[8 * i + 4] = mix(b(erfinv(x)), b(erfcx(x)));
  out[8 * i + 5] = mix(b(normcdf(x)), b(normcdfinv(x)));
  out[8 * i + 6] = mix(b(j0(x)), b(j1(x)));
  out[8 * i + 7] = mix(b(y0(x)), b(jn(3, x)));
}
extern "C" __global__ void double_directed(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 128 + threadIdx.x;
  double x = wide_edge(in, i), y = wide_edge(in, (i * 13 + 9) & 255),
         z = wide_edge(in, (i * 3 + 2) & 255);
  if (isnan(x)) x = 1.25;
  if (isnan(y)) y = -3;
  if (isnan(z)) z = 0.1;
  unsigned r =
      mix(mix(b(__dadd_rn(x, y)), b(__dadd_rz(x, y))), mix(b(__dadd_ru(x, y)), b(__dadd_rd(x, y))));
  out[4 * i] = mix(r, b(__dsub_ru(x, y)));
  out[4 * i + 1] =
      mix(mix(b(__dmul_rn(x, y)), b(__dmul_rz(x, y))), mix(b(__dmul_ru(x, y)), b(__dmul_rd(x, y))));
  out[4 * i + 2] = mix(mix(b(__fma_rn(x, y, z)), b(__fma_rz(x, y, z))),
                       mix(b(__fma_ru(x, y, z)), b(__fma_rd(x, y, z))));
  r = mix(mix(b(__ddiv_rn(x, y)), b(__ddiv_rz(x, y))), mix(b(__ddiv_ru(x, y)), b(__ddiv_rd(x, y))));
  r = mix(r, mix(mix(b(__dsqrt_rn(x)), b(__dsqrt_rz(x))), mix(b(__dsqrt_ru(x)), b(__dsqrt_rd(x)))));
  out[4 * i + 3] =
      mix(r, mix(mix(b(__drcp_rn(x)), b(__drcp_rz(x))), mix(b(__drcp_ru(x)), b(__drcp_rd(x)))));
}
extern "C" __global__ void double_edges(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  const double x = wide_edge(in, i), y = wide_edge(in, (i * 3 + 1) & 127);
  out[4 * i] = b(x / y);
  out[4 * i + 1] = b(1 / x);
  out[4 * i + 2] = b(sqrt(x));
  out[4 * i + 3] = b(rsqrt(x));
}
extern "C" __global__ void large_arguments(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  const float x = __uint_as_float((in[i] & 0x87ffffff) | 0x48000000 | (in[i] >> 4 & 0x30000000));
  const double d = __hiloint2double(static_cast<int>((in[i] & 0x9fffffff) | 0x42000000),
                                    static_cast<int>(in[i + 1]));
  out[4 * i] = mix(b(sinf(x)), b(cosf(x)));
  out[4 * i + 1] = b(tanf(x));
  out[4 * i + 2] = mix(b(sin(d)), b(cos(d)));
  out[4 * i + 3] = b(tan(d));
}
extern "C" __global__ void norms_and_hypot(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  const double x = edge(in, i), y = edge(in, (i + 7) & 127), z = edge(in, (i + 15) & 127);
  const float f = edge(in, i), g = edge(in, (i + 7) & 127), h = edge(in, (i + 15) & 127);
  out[8 * i] = b(hypot(x, y));
  out[8 * i + 1] = b(rhypot(x, y));
  out[8 * i + 2] = b(norm3d(x, y, z));
  out[8 * i + 3] = b(norm4d(x, y, z, 1));
  out[8 * i + 4] = near(hypotf(f, g), hypot(x, y), 3);
  out[8 * i + 5] = near(norm3df(f, g, h), norm3d(x, y, z), 4);
  out[8 * i + 6] = near(rhypotf(f, g), rhypot(x, y), 4);
  out[8 * i + 7] = near(rnorm3df(f, g, h), rnorm3d(x, y, z), 5);
}
extern "C" __global__ void fast_math_near(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 128 + threadIdx.x;
  const float x = (in[i] & 0xffff) * 1e-4f + 0.05f, y = (in[i] >> 16) * 1e-4f + 0.1f;
  const double d = x;
  unsigned r = fabs(__sinf(x) - sin(d)) < 4e-6;
  r = r * 2 + (fabs(__cosf(x) - cos(d)) < 4e-6), r = r * 2 + (fabs(__logf(x) - log(d)) < 2e-6),
  r = r * 2 + (fabs(__log2f(x) - log2(d)) < 2e-6);
  r = r * 2 + (fabs(__log10f(x) - log10(d)) < 2e-6), r = r * 2 + near(__expf(x), exp(d), 12),
  r = r * 2 + near(__exp10f(x * 0.1f), exp10(d * 0.1), 40);
  r = r * 2 + near(__fdividef(x, y), x / static_cast<double>(y), 3),
  r = r * 2 + near(__powf(x, 1.5f), pow(d, 1.5), 30), r = r * 2 + near(__frsqrt_rn(x), rsqrt(d), 1);
  float s, c;
  __sincosf(x, &s, &c);
  r = r * 2 + (fabs(s - sin(d)) < 4e-6 && fabs(c - cos(d)) < 4e-6);
  out[i] = r * 2 + (__saturatef(x - 3) <= 1);
}
