// SPDX-License-Identifier: Apache-2.0
// Measures the largest error of each approximate instruction, over all f32 or 16-bit sources, and
// how many results are not correctly rounded. approximations.py runs it.
//
// The reference is computed in double. Over all sources, sin and cos are compared at the
// instruction's own angle: the fraction of source * 1/2pi in f32, rounded towards zero.

struct Record {
  double relative;  // only of results that are normal numbers
  double absolute;
  unsigned long long differing;
  unsigned long long total;
};

__device__ void raise(double* place, double value) {
  atomicMax(reinterpret_cast<unsigned long long*>(place),
            static_cast<unsigned long long>(__double_as_longlong(value)));
}

#define INSTRUCTION(name, text)                  \
  __device__ float name(float a) {               \
    float d;                                     \
    asm(text ".f32 %0, %1;" : "=f"(d) : "f"(a)); \
    return d;                                    \
  }
INSTRUCTION(rcp, "rcp.approx")
INSTRUCTION(root, "sqrt.approx")
INSTRUCTION(rsqrt_, "rsqrt.approx")
INSTRUCTION(sine, "sin.approx")
INSTRUCTION(cosine, "cos.approx")
INSTRUCTION(log_2, "lg2.approx")
INSTRUCTION(exp_2, "ex2.approx")
INSTRUCTION(tanh_, "tanh.approx")

template <typename Approximate, typename Exact>
__device__ void over_all(Record* record, double low, double high, Approximate approximate,
                         Exact exact) {
  Record mine = {};
  const auto step = static_cast<unsigned long long>(gridDim.x) * blockDim.x;
  auto bits = blockIdx.x * static_cast<unsigned long long>(blockDim.x) + threadIdx.x;
  for (; bits < 1ULL << 32; bits += step) {
    const float source = __uint_as_float(static_cast<unsigned>(bits));
    if (!(fabsf(source) >= low && fabsf(source) <= high)) continue;
    const double want = exact(source);
    if (!isfinite(static_cast<float>(want)) || fabs(want) < 0x1p-126) continue;
    const float got = approximate(source);
    const double error = fabs(got - want);
    ++mine.total;
    mine.differing += static_cast<float>(want) != got;
    mine.absolute = fmax(mine.absolute, error);
    mine.relative = fmax(mine.relative, error / fabs(want));
  }
  raise(&record->relative, mine.relative);
  raise(&record->absolute, mine.absolute);
  atomicAdd(&record->differing, mine.differing);
  atomicAdd(&record->total, mine.total);
}

__device__ double reduced(float a) {
  const double turns = static_cast<double>(__fmul_rz(a, 0x1.45f306p-3F));
  return 0x1.921fb54442d18p2 * (turns - trunc(turns));
}

extern "C" __global__ void singles(Record* records) {
  constexpr double kAll = 0x1p128;
  constexpr double kPi = 3.141592653589793;
  over_all(records + 0, 0, kAll, rcp, [](double a) { return 1 / a; });
  over_all(records + 1, 0, kAll, root, [](double a) { return sqrt(a); });
  over_all(records + 2, 0, kAll, rsqrt_, [](double a) { return 1 / sqrt(a); });
  over_all(records + 3, 0, 2 * kPi, sine, [](double a) { return sin(a); });
  over_all(records + 4, 0, 100 * kPi, sine, [](double a) { return sin(a); });
  over_all(records + 5, 0, kAll, sine, [](float a) { return sin(reduced(a)); });
  over_all(records + 6, 0, 2 * kPi, cosine, [](double a) { return cos(a); });
  over_all(records + 7, 0, 100 * kPi, cosine, [](double a) { return cos(a); });
  over_all(records + 8, 0, kAll, cosine, [](float a) { return cos(reduced(a)); });
  over_all(records + 9, 0, 0.5, log_2, [](double a) { return log2(a); });
  over_all(records + 10, 0.5, 2, log_2, [](double a) { return log2(a); });
  over_all(records + 11, 2, kAll, log_2, [](double a) { return log2(a); });
  over_all(records + 12, 0, kAll, exp_2, [](double a) { return exp2(a); });
  over_all(records + 13, 0, kAll, tanh_, [](double a) { return tanh(a); });
}

__device__ unsigned long long random(unsigned long long& state) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

__device__ void count(Record* record, double want, double got, bool differs) {
  raise(&record->absolute, fabs(got - want));
  if (want != 0) raise(&record->relative, fabs((got - want) / want));
  atomicAdd(&record->differing, differs ? 1ULL : 0ULL);
  atomicAdd(&record->total, 1ULL);
}

// Random pairs with normal quotients (div.approx: b within the manual's bound). Then f64.
extern "C" __global__ void quotients(Record* records) {
  auto state = (blockIdx.x * blockDim.x + threadIdx.x + 1) * 0x9e3779b97f4a7c15ULL;
  for (int i = 0; i < 200; ++i) {
    const auto bits = random(state);
    const float a = __uint_as_float(static_cast<unsigned>(bits));
    const float b = __uint_as_float(static_cast<unsigned>(bits >> 32));
    const double want = static_cast<double>(a) / b;
    if (fabs(want) >= 0x1p-126 && fabs(want) < 0x1.fffffep127) {
      float full, approximate;
      asm("div.full.f32 %0, %1, %2;" : "=f"(full) : "f"(a), "f"(b));
      asm("div.approx.f32 %0, %1, %2;" : "=f"(approximate) : "f"(a), "f"(b));
      count(records, want, full, static_cast<float>(want) != full);
      if (fabsf(b) >= 0x1p-126F && fabsf(b) <= 0x1p126F) {
        count(records + 1, want, approximate, static_cast<float>(want) != approximate);
      }
    }
    // x is in [1, 4). No wider format exists, so fma computes the errors.
    const double x = __longlong_as_double(static_cast<long long>(
        (random(state) & 0x000fffffffffffffULL) | 0x3ff0000000000000ULL | (bits & 1) << 52));
    double d;
    asm("rsqrt.approx.f64 %0, %1;" : "=d"(d) : "d"(x));
    const double square = d * d;
    count(records + 2, 1, 1 + 0.5 * (fma(square, x, -1.0) + fma(d, d, -square) * x), false);
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(d) : "d"(x));
    count(records + 3, 1, 1 + fma(d, x, -1.0), false);
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(d) : "d"(x));
    count(records + 4, 1, 1 + 0.5 * fma(d * d, x, -1.0), false);
  }
}

// Every 16-bit source with a normal result; for tanh, every finite source.
extern "C" __global__ void halves(Record* records) {
  const auto bits = static_cast<unsigned short>(blockIdx.x * blockDim.x + threadIdx.x);
  unsigned short d;
  float source, got;
  asm("cvt.f32.f16 %0, %1;" : "=f"(source) : "h"(bits));
  asm("ex2.approx.f16 %0, %1;" : "=h"(d) : "h"(bits));
  asm("cvt.f32.f16 %0, %1;" : "=f"(got) : "h"(d));
  double want = exp2(static_cast<double>(source));
  if (isfinite(source) && want >= 0x1p-14 && want <= 65504) count(records, want, got, false);
  asm("tanh.approx.f16 %0, %1;" : "=h"(d) : "h"(bits));
  asm("cvt.f32.f16 %0, %1;" : "=f"(got) : "h"(d));
  if (isfinite(source)) count(records + 1, tanh(static_cast<double>(source)), got, false);

  source = __uint_as_float(static_cast<unsigned>(bits) << 16);
  asm("ex2.approx.ftz.bf16 %0, %1;" : "=h"(d) : "h"(bits));
  got = __uint_as_float(static_cast<unsigned>(d) << 16);
  want = exp2(static_cast<double>(source));
  if (isfinite(source) && want >= 0x1p-126 && want <= 0x1.fep127) {
    count(records + 2, want, got, false);
  }
  asm("tanh.approx.bf16 %0, %1;" : "=h"(d) : "h"(bits));
  got = __uint_as_float(static_cast<unsigned>(d) << 16);
  if (isfinite(source)) count(records + 3, tanh(static_cast<double>(source)), got, false);
}
