// SPDX-License-Identifier: Apache-2.0
// Mathematical functions. corpus.py describes the parts.

//--- math_abs_overloads
// abs() of int, long long, float and double.
// launch: --kernel magnitudes --grid 1 --block 32 --arg out:f64:32
#include <cstdlib>
__global__ void magnitudes(double* out) {
  const int i = 16 - int(threadIdx.x);
  out[threadIdx.x] = abs(i) + abs(1000000000000ll * i) + abs(i * 0.5f) + abs(i * 0.25);
}

//--- math_bessel
// Bessel functions of float.
// launch: --kernel curves --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:96
__global__ void curves(const float* in, float* out) {
  const float x = in[threadIdx.x] + 0.5f;
  out[threadIdx.x] = j0f(x);
  out[32 + threadIdx.x] = y1f(x);
  out[64 + threadIdx.x] = jnf(3, x);
}

//--- math_bit_casts
// __float_as_int and related casts, and the high and low words of doubles.
// launch: --kernel bits --grid 1 --block 32 --arg in:f32:32:iota --arg out:u32:32
__global__ void bits(const float* in, unsigned* out) {
  const float x = in[threadIdx.x] - 3.25f;
  const double d = __hiloint2double(__float_as_int(x), 0x1234);
  out[threadIdx.x] = __float_as_uint(x) ^ unsigned(__double2hiint(d * 2)) ^ unsigned(__double2loint(d)) ^
                     unsigned(__double_as_longlong(x) >> 20) ^ __float_as_uint(__int_as_float(0x40490fdb));
}

//--- math_classification
// isnan, isinf and isfinite on special values.
// launch: --kernel classes --grid 1 --block 32 --arg out:i32:32
__global__ void classes(int* out) {
  const float zero = threadIdx.x / 40;
  const float values[] = {zero, 1 / zero, zero / zero, 3.5f, 1e-40f};
  const float x = values[threadIdx.x % 5];
  out[threadIdx.x] = isnan(x) * 1 + isinf(x) * 2 + isfinite(x) * 4 + (isnan(double(x)) ? 8 : 0);
}

//--- math_conversions
// Conversion intrinsics with rounding.
// launch: --kernel converted --grid 1 --block 32 --arg in:f32:32:iota --arg out:i32:32
__global__ void converted(const float* in, int* out) {
  const float x = in[threadIdx.x] * 0.77f - 9;
  out[threadIdx.x] = __float2int_rd(x) + 3 * __float2int_ru(x) + 5 * __float2int_rn(x) + 7 * __float2int_rz(x) +
                     int(__float2uint_rn(x)) + __double2int_rn(x * 1.5) + int(__float2ll_rd(x)) + __float2int_rn(__int2float_rz(12345679));
}

//--- math_denormals
// Denormals are not flushed by default.
// launch: --kernel small --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:32
__global__ void small(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x] * 1e-38f * 0.01f + 1e-45f; }

//--- math_directed_rounding
// Intrinsics with directed rounding in float and double.
// launch: --kernel rounded --grid 1 --block 32 --arg in:f32:32:iota --arg out:f64:32
__global__ void rounded(const float* in, double* out) {
  const float x = in[threadIdx.x] + 0.1f;
  out[threadIdx.x] = __fadd_ru(x, 1e-7f) + __fmul_rd(x, 0.3f) + __fdiv_rz(x, 7) + __fsqrt_ru(x) +
                     __dadd_rd(x, 1e-17) + __dmul_ru(x, 0.3) + __ddiv_rn(x, 7) + __dsqrt_rz(x) + __fmaf_rz(x, x, 1);
}

//--- math_division_by_zero
// Division of floats by zero gives infinities and NaN without an error.
// launch: --kernel divided --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:32
__global__ void divided(const float* in, float* out) {
  const float x = in[threadIdx.x] - 16, zero = in[0];
  const float q = x / zero;
  out[threadIdx.x] = isnan(q) ? 5.0f : q;
}

//--- math_double_functions
// sqrt, rsqrt, cbrt, fma and division of doubles.
// launch: --kernel values --grid 1 --block 32 --arg in:f64:32:iota --arg out:f64:32
__global__ void values(const double* in, double* out) {
  const double x = in[threadIdx.x] + 0.5;
  out[threadIdx.x] = sqrt(x) + 1 / x + fma(x, x, -1.0) + cbrt(x) + rsqrt(x) + floor(x * 0.3);
}

//--- math_double_literals
// A float multiplied by a literal without f is computed in double.
// launch: --kernel mixed --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:32
__global__ void mixed(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x] * 0.1 + 1.0 / 3; }

//--- math_double_transcendental
// exp, log, sin and atan2 in double precision.
// launch: --kernel values --grid 1 --block 32 --arg in:f64:32:iota --arg out:f64:128
__global__ void values(const double* in, double* out) {
  const double x = in[threadIdx.x] * 0.37 + 0.01;
  double* mine = out + 4 * threadIdx.x;
  mine[0] = exp(x);
  mine[1] = log(x);
  mine[2] = sin(x);
  mine[3] = atan2(x, 2.0);
}

//--- math_erf_gamma
// erf, erfc, lgamma, and tgamma of float.
// launch: --kernel curves --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:128
__global__ void curves(const float* in, float* out) {
  const float x = in[threadIdx.x] * 0.125f + 0.1f;
  out[threadIdx.x] = erff(x);
  out[32 + threadIdx.x] = erfcf(x);
  out[64 + threadIdx.x] = lgammaf(x);
  out[96 + threadIdx.x] = tgammaf(x);
}

//--- math_exp_log
// exp, log, log2, log10, exp2, expm1 and log1p in single precision.
// launch: --kernel values --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:224
__global__ void values(const float* in, float* out) {
  const float x = in[threadIdx.x] * 0.3f + 0.1f;
  float* mine = out + 7 * threadIdx.x;
  mine[0] = expf(x);
  mine[1] = logf(x);
  mine[2] = log2f(x);
  mine[3] = log10f(x);
  mine[4] = exp2f(x);
  mine[5] = expm1f(x);
  mine[6] = log1pf(x);
}

//--- math_fma
// Contracted products, and intrinsics that prevent contraction.
// launch: --kernel products --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:32
__global__ void products(const float* in, float* out) {
  const float x = in[threadIdx.x] * 0.1f;
  const float apart = __fadd_rn(__fmul_rn(x, x), -1.0f), fused = x * x - 1.0f, asked = fmaf(x, x, 3.0f);
  out[threadIdx.x] = (apart - fused) * 1e6f + asked;
}

//--- math_fmod_remainder
// fmod, remainder and remquo in both precisions.
// launch: --kernel rests --grid 1 --block 32 --arg in:f32:32:iota --arg out:f64:32
__global__ void rests(const float* in, double* out) {
  int quotient;
  const float x = in[threadIdx.x] * 1.7f - 20;
  const double r = remainder(double(x), 0.75) + remquof(x, 3.0f, &quotient);
  out[threadIdx.x] = fmodf(x, 2.5f) + r + quotient;
}

//--- math_frexp_ldexp
// frexp, ldexp, scalbn, logb and ilogb.
// launch: --kernel parts --grid 1 --block 32 --arg out:f32:32
__global__ void parts(float* out) {
  int exponent;
  const float x = 0.37f * (threadIdx.x + 1) * (threadIdx.x + 1);
  const float fraction = frexpf(x, &exponent);
  out[threadIdx.x] = fraction + exponent + ldexpf(fraction, 3) + scalbnf(x, -2) + logbf(x) + ilogbf(x);
}

//--- math_hyperbolic
// Hyperbolic functions and their inverses.
// launch: --kernel curves --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:128
__global__ void curves(const float* in, float* out) {
  const float x = in[threadIdx.x] * 0.0625f;
  out[threadIdx.x] = sinhf(x);
  out[32 + threadIdx.x] = tanhf(x);
  out[64 + threadIdx.x] = asinhf(x);
  out[96 + threadIdx.x] = atanhf(x * 0.5f);
}

//--- math_hypot_norm
// hypot, rhypot, norm3d, rnorm4d and normf.
// launch: --kernel lengths --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:32
__global__ void lengths(const float* in, float* out) {
  const float x = in[threadIdx.x] + 1;
  const float v[3] = {x, 2, 3};
  out[threadIdx.x] = hypotf(x, 2) + rhypotf(x, 3) + norm3df(x, 1, 2) + rnorm4df(x, 1, 2, 3) + normf(3, v);
}

//--- math_infinities
// INFINITY, HUGE_VALF and the constants of math_constants.h.
// launch: --kernel specials --grid 1 --block 32 --arg out:f32:32
#include <cmath>
#include <math_constants.h>
__global__ void specials(float* out) {
  const float values[] = {INFINITY, -INFINITY, HUGE_VALF, CUDART_INF_F, CUDART_PI_F, CUDART_MAX_NORMAL_F};
  out[threadIdx.x] = values[threadIdx.x % 6];
}

//--- math_integer_division
// Division and remainder of signed, unsigned and 64-bit integers.
// launch: --kernel divided --grid 1 --block 32 --arg out:i64:32
__global__ void divided(long long* out) {
  const int i = int(threadIdx.x) * 37 - 500, d = int(threadIdx.x) % 7 - 10;
  const unsigned u = 4000000000u - threadIdx.x;
  const long long l = -123456789012345ll * (threadIdx.x + 1);
  out[threadIdx.x] = i / d + i % d + u / 7 + u % 1000 + l / 1000003 + l % d;
}

//--- math_inverse_trigonometry
// Inverse trigonometric functions in float and double.
// launch: --kernel curves --grid 1 --block 32 --arg in:f64:32:iota --arg out:f64:96
__global__ void curves(const double* in, double* out) {
  const double x = in[threadIdx.x] / 32;
  out[threadIdx.x] = asin(x) + acosf(static_cast<float>(x));
  out[32 + threadIdx.x] = atan2(x, 0.3);
  out[64 + threadIdx.x] = atanf(static_cast<float>(x));
}

//--- math_min_long_long
// min() and max() of signed and unsigned 64-bit integers.
// launch: --kernel ends --grid 1 --block 32 --arg out:i64:32
__global__ void ends(long long* out) {
  const long long x = (1ll << 40) - (1ll << 36) * threadIdx.x;
  const unsigned long long y = threadIdx.x * 1000000000000ull;
  out[threadIdx.x] = min(x, 3ll) + max(x, -5ll) + (long long)max(y, 77ull);
}

//--- math_min_max_mixed
// min() and max() of int and unsigned, float and double.
// launch: --kernel ends --grid 1 --block 32 --arg out:f64:32
__global__ void ends(double* out) {
  const int i = int(threadIdx.x) - 4;
  out[threadIdx.x] = min(i, 10) + max(threadIdx.x, 7u) + min(i * 0.5f, 2.0f) + max(i * 0.25, 1.0) + min(i, 5u);
}

//--- math_modf_copysign
// modf, copysign, fdim, nextafter and signbit.
// launch: --kernel parts --grid 1 --block 32 --arg out:f32:32
__global__ void parts(float* out) {
  float whole;
  const float x = threadIdx.x * 1.3f - 9;
  const float part = modff(x, &whole);
  out[threadIdx.x] = part + 2 * whole + copysignf(3, x) + fdimf(x, 1) + nextafterf(x, 100) + signbit(x);
}

//--- math_pi_macros
// M_PI and M_SQRT2 in float and double arithmetic.
// launch: --kernel angles --grid 1 --block 32 --arg in:f32:32:iota --arg out:f64:32
#include <cmath>
__global__ void angles(const float* in, double* out) { out[threadIdx.x] = in[threadIdx.x] * M_PI / 180 + float(M_SQRT2); }

//--- math_pow_double_float
// pow() of a double constant and a float.
// launch: --kernel powers --grid 1 --block 32 --arg in:f32:32:iota --arg out:f64:32
__global__ void powers(const float* in, double* out) { out[threadIdx.x] = pow(2.0, in[threadIdx.x]); }

//--- math_pow_float_double
// pow() of a float and a double constant is computed in double.
// launch: --kernel roots --grid 1 --block 32 --arg in:f32:32:iota --arg out:f64:32
__global__ void roots(const float* in, double* out) { out[threadIdx.x] = pow(in[threadIdx.x], 0.5); }

//--- math_pow_float_int
// pow() of a float and an int.
// launch: --kernel cubes --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:32
__global__ void cubes(const float* in, float* out) { out[threadIdx.x] = pow(in[threadIdx.x], 3); }

//--- math_pow_int_int
// pow() of two ints.
// launch: --kernel squares --grid 1 --block 32 --arg out:f64:32
__global__ void squares(double* out) {
  const int i = threadIdx.x;
  out[i] = pow(i, 2);
}

//--- math_powf_chain
// powf with a negative exponent.
// launch: --kernel inverses --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:32
__global__ void inverses(const float* in, float* out) { out[threadIdx.x] = powf(in[threadIdx.x] + 1, -1.5f); }

//--- math_rounding
// floor, ceil, trunc, round, rint, nearbyint and lrint.
// launch: --kernel rounded --grid 1 --block 32 --arg out:f32:32
__global__ void rounded(float* out) {
  const float x = threadIdx.x * 0.5f - 7.25f + (threadIdx.x % 2) * 0.25f;
  out[threadIdx.x] = floorf(x) + 2 * ceilf(x) + 3 * truncf(x) + 5 * roundf(x) + 7 * rintf(x) + 11 * nearbyintf(x) + lrintf(x) + lroundf(x);
}

//--- math_saturate
// __saturatef, fminf and fmaxf with NaN, and fmaxf with an infinity.
// launch: --kernel clamped --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:32
__global__ void clamped(const float* in, float* out) {
  const float x = in[threadIdx.x] / 10 - 1, nan = nanf("");
  out[threadIdx.x] = __saturatef(x) + fminf(x, nan) + fmaxf(nan, -x) + fmaxf(x, -1.0f / 0.0f);
}

//--- math_sincos
// sincosf, sincospif and sinpi.
// launch: --kernel waves --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:32
__global__ void waves(const float* in, float* out) {
  float s, c, sp, cp;
  sincosf(in[threadIdx.x], &s, &c);
  sincospif(in[threadIdx.x] / 8, &sp, &cp);
  out[threadIdx.x] = s + 2 * c + 4 * sp + 8 * cp + sinpif(0.25f) + cospif(0.125f);
}

//--- math_special_functions
// erf, erfc, erfinv, normcdf, lgamma, tgamma and Bessel functions.
// launch: --kernel values --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:224
__global__ void values(const float* in, float* out) {
  const float x = in[threadIdx.x] / 40 + 0.05f;
  float* mine = out + 7 * threadIdx.x;
  mine[0] = erff(x);
  mine[1] = erfcf(x);
  mine[2] = erfinvf(x);
  mine[3] = normcdff(x);
  mine[4] = lgammaf(x);
  mine[5] = tgammaf(x);
  mine[6] = j0f(x) + y1f(x);
}

//--- math_sqrt_overloads
// sqrt() of a float and of a double.
// launch: --kernel roots --grid 1 --block 32 --arg in:f32:32:iota --arg out:f64:32
__global__ void roots(const float* in, double* out) {
  const float x = in[threadIdx.x];
  out[threadIdx.x] = sqrt(x) + sqrt(double(x));
}

//--- math_std_functions
// std::sqrt, std::sin, std::fabs and std::fmax from <cmath>.
// launch: --kernel values --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:32
#include <cmath>
__global__ void values(const float* in, float* out) {
  const float x = in[threadIdx.x];
  out[threadIdx.x] = std::sqrt(x) + std::sin(x) + std::fabs(-x) + std::fmax(x, 3.0f) + std::floor(x / 3);
}

//--- math_trigonometry
// tan, asin, acos, atan, atan2, sinh, cosh and tanh.
// launch: --kernel values --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:256
__global__ void values(const float* in, float* out) {
  const float x = in[threadIdx.x] / 32;
  float* mine = out + 8 * threadIdx.x;
  mine[0] = tanf(x);
  mine[1] = asinf(x);
  mine[2] = acosf(x);
  mine[3] = atanf(x);
  mine[4] = atan2f(x, 0.5f);
  mine[5] = sinhf(x);
  mine[6] = coshf(x);
  mine[7] = tanhf(x);
}

//--- math_unsigned_wrap
// Unsigned subtraction wraps around and converts back to a signed difference.
// launch: --kernel wrapped --grid 1 --block 32 --arg out:i32:32
__global__ void wrapped(int* out) {
  const unsigned before = threadIdx.x - 5u;
  out[threadIdx.x] = int(before) + int(before > 1000u) * 100;
}
