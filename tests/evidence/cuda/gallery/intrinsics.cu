// SPDX-License-Identifier: Apache-2.0
// Intrinsics: atomics of wide and packed types, loads and stores with cache hints, SIMD in a word,
// bytes and bits, parts of floats, printf.
//
// launch: atomics_of_other_types grid 4 block 64
// launch: atomics_of_64_bits grid 4 block 64
// launch: hinted_accesses grid 4 block 64
// launch: packed_integers grid 4 block 64
// launch: three_way_extremes grid 4 block 64
// launch: bytes_and_funnels grid 4 block 64
// launch: aggregated_by_value grid 4 block 64
// launch: floats_in_pieces grid 4 block 64
// launch: directed_rounding grid 4 block 64
// launch: half_pairs grid 4 block 64
// launch: printed grid 1 block 32
#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void atomics_of_other_types(unsigned* out, const unsigned* in) {
  __shared__ double sum;
  __shared__ __half2 pair;
  __shared__ __half half;
  __shared__ __nv_bfloat162 brain;
  __shared__ float single;
  __shared__ unsigned short short_word[2];
  const unsigned t = threadIdx.x, x = in[blockIdx.x * 64 + t];
  if (t == 0) {
    sum = 0, single = 0, short_word[0] = 0, short_word[1] = 0;
    pair = __floats2half2_rn(0, 0), half = __float2half(0);
    brain = __floats2bfloat162_rn(0, 0);
  }
  __syncthreads();
  atomicAdd(&sum, (x & 255) * 0.25);
  atomicAdd(&single, static_cast<float>(x >> 8 & 255));
  atomicAdd(&pair, __floats2half2_rn(x & 7, x >> 3 & 7));  // all sums are exact
  atomicAdd(&half, __float2half(x >> 6 & 7));
  atomicAdd(&brain, __floats2bfloat162_rn(x & 1, x >> 1 & 1));
  for (unsigned short seen = short_word[t & 1], now;; seen = now) {
    now = atomicCAS(&short_word[t & 1], seen, static_cast<unsigned short>(seen + (x & 63)));
    if (now == seen) break;
  }
  auto* global = reinterpret_cast<double*>(out + 512);
  atomicAdd(global, static_cast<double>(x & 0xfff));
  atomicAdd(reinterpret_cast<float*>(out + 516), static_cast<float>(x >> 20 & 15));
  atomicAdd(reinterpret_cast<__half2*>(out + 517), __floats2half2_rn(x & 3, x >> 2 & 3));
  atomicAdd(reinterpret_cast<__nv_bfloat162*>(out + 518),
            __floats2bfloat162_rn((x & 31) == 0, (x & 63) == 1));
  __syncthreads();
  if (t == 0) {
    unsigned* row = out + blockIdx.x * 8;
    row[0] = static_cast<unsigned>(sum * 4);
    row[1] = static_cast<unsigned>(single);
    row[2] = *reinterpret_cast<unsigned*>(&pair);
    row[3] = __half_as_ushort(half);
    row[4] = *reinterpret_cast<unsigned*>(&brain);
    row[5] = short_word[0] | short_word[1] << 16;
  }
}

extern "C" __global__ void atomics_of_64_bits(unsigned* out, const unsigned* in) {
  using Wide = unsigned long long;
  __shared__ Wide cells[8];
  __shared__ long long extremes[2];
  __shared__ unsigned ring[2];
  const unsigned t = threadIdx.x, x = in[blockIdx.x * 64 + t];
  if (t < 8) cells[t] = t == 2 ? ~0ull : t == 3 ? ~0ull >> 1 : 0;
  if (t < 2) extremes[t] = 0, ring[t] = 0;
  __syncthreads();
  const Wide wide = static_cast<Wide>(x) << 20 | t;
  const long long signed_wide = static_cast<long long>(wide << 12) >> 12;
  atomicAdd(&cells[0], wide);
  atomicMax(&cells[1], wide);
  atomicMin(&cells[2], wide);
  atomicAnd(&cells[3], wide | 0xffff0000ffffull);
  atomicOr(&cells[4], wide & 0x1111111111111ull);
  atomicXor(&cells[5], wide);
  atomicMax(&extremes[0], signed_wide - (1ll << 50));
  atomicMin(&extremes[1], signed_wide - (1ll << 51));
  atomicInc(&ring[0], 40);
  atomicDec(&ring[1], 40);
  if (t == 17) atomicExch(&cells[6], wide);
  for (Wide seen = 0;;) {
    const Wide now = atomicCAS(&cells[7], seen, seen * 3 + 1);
    if (now == seen) break;
    seen = now;
  }
  __syncthreads();
  unsigned* row = out + blockIdx.x * 32;
  if (t < 16) row[t] = static_cast<unsigned>(cells[t / 2] >> 32 * (t & 1));
  if (t < 4) row[16 + t] = static_cast<unsigned>(extremes[t / 2] >> 32 * (t & 1));
  if (t < 2) row[20 + t] = ring[t];
}

extern "C" __global__ void hinted_accesses(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  const auto* quads = reinterpret_cast<const uint4*>(in);
  const auto* pairs = reinterpret_cast<const int2*>(in);
  const auto* shorts = reinterpret_cast<const short*>(in);
  const auto* bytes = reinterpret_cast<const signed char*>(in);
  const auto* wide = reinterpret_cast<const unsigned long long*>(in);
  const uint4 a = __ldg(&quads[i]), b = __ldcs(&quads[i + 1]);
  const int2 c = __ldcg(&pairs[2 * i + 1]);
  unsigned r = a.x + 3 * a.w + 5 * b.y + 7 * static_cast<unsigned>(c.y);
  r = r * 31 + static_cast<unsigned>(__ldca(&shorts[3 * i])) +
      static_cast<unsigned>(__ldg(&bytes[5 * i]));
  r = r * 31 + static_cast<unsigned>(__ldlu(&wide[i]) >> 17) + __ldcv(&in[i + 9]);
  r = r * 31 + __ldg(reinterpret_cast<const uchar4*>(in) + i).z;
  const float2 f = __ldcs(reinterpret_cast<const float2*>(in) + (i ^ 5));
  r ^= __float_as_uint(f.x) + __float_as_uint(f.y) * 3;
  __stcs(&out[i], r);
  if ((i & 1) == 1) __stcg(reinterpret_cast<uint2*>(out + 256) + i / 2, make_uint2(r, r + 1));
  if ((i & 1) == 0) __stwt(&out[512 + i], ~r);
  if ((i & 3) == 1) __stwb(reinterpret_cast<short2*>(out + 768) + i, make_short2(r, r >> 16));
}

extern "C" __global__ void packed_integers(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x, a = in[i], b = in[i + 256], c = in[i + 512];
  unsigned r = __vadd4(a, b) ^ __vaddss4(b, c) * 3 ^ __vaddus4(a, c) * 5;
  r = r * 31 + (__vsub4(a, b) ^ __vsubss2(b, c) * 3 ^ __vsubus2(a, c) * 5);
  r = r * 31 + (__vavgs2(a, b) ^ __vavgu4(b, c) * 3 ^ __vhaddu2(a, c) * 5);
  r = r * 31 + (__vmaxs4(a, b) ^ __vmaxu2(b, c) * 3 ^ __vmins2(a, c) * 5 ^ __vminu4(a, b) * 7);
  r = r * 31 +
      (__vcmpgtu4(a, b) ^ __vcmples2(b, c) * 3 ^ __vcmpeq4(a & 0xf0f0f0f, b & 0xf0f0f0f) * 5);
  r = r * 31 + (__vseteq2(a & 0x30003, b & 0x30003) + __vsetgts4(a, b) * 3 + __vsetleu4(b, c) * 5);
  r = r * 31 + (__vsadu4(a, b) + __vsads2(b, c) * 3 + __vabsdiffs4(a, c) * 5);
  r = r * 31 + (__vneg2(a) ^ __vnegss4(b) * 3 ^ __vabsss2(c) * 5 ^ __vabs4(a) * 7);
  out[i] = r;
}

extern "C" __global__ void three_way_extremes(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x, a = in[i], b = in[i + 256], c = in[i + 512];
  const int x = static_cast<int>(a), y = static_cast<int>(b), z = static_cast<int>(c);
  bool first, low, high;
  unsigned r = static_cast<unsigned>(__vimax3_s32(x, y, z)) ^ __vimin3_u32(a, b, c) * 3;
  r = r * 31 + static_cast<unsigned>(__viaddmax_s32(x / 2, y / 2, z)) + __viaddmin_u32(a, b, c);
  r = r * 31 + static_cast<unsigned>(__vimax_s32_relu(x, y)) +
      static_cast<unsigned>(__vimin3_s32_relu(x, y, z));
  r = r * 31 +
      (__vimax3_s16x2(a, b, c) ^ __vimin3_u16x2(a, b, c) * 3 ^ __viaddmax_s16x2(a, b, c) * 5);
  r = r * 31 + (__vimax_s16x2_relu(a, b) ^ __viaddmin_u16x2(a, b, c) * 3);
  r = r * 31 + static_cast<unsigned>(__vibmax_s32(x, y, &first)) + first;
  r = r * 31 + __vibmin_u16x2(a, b, &high, &low) + 2 * high + low;
  out[i] = r;
}

extern "C" __global__ void bytes_and_funnels(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x, a = in[i], b = in[i + 256], c = in[i + 512];
  unsigned r = __byte_perm(a, b, c) ^ __byte_perm(a, b, 0x5410) * 3 ^ __byte_perm(a, 0, 0x4440) * 5;
  r = r * 31 + __funnelshift_l(a, b, c) + __funnelshift_lc(a, b, c & 63) * 3 +
      __funnelshift_r(a, b, c >> 8) * 5 + __funnelshift_rc(a, b, c >> 16 & 63) * 7;
  r = r * 31 +
      static_cast<unsigned>(__dp4a(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c)));
  r = r * 31 + __dp4a(a, b, c) + __dp2a_lo(a, b, c) * 3 +
      static_cast<unsigned>(__dp2a_hi(static_cast<int>(a), static_cast<int>(b), 9));
  const long long wide = static_cast<long long>(a) << 32 | b;
  r = r * 31 +
      static_cast<unsigned>(__clzll(wide) + 64 * __ffsll(wide & -4096) + 5 * __popcll(wide));
  r = r * 31 + static_cast<unsigned>(__brevll(wide) >> 13) + __brev(a) +
      __ffs(static_cast<int>(b & 0xfff0)) +
      static_cast<unsigned>(__clz(static_cast<int>(c >> (a & 31))));
  r = r * 31 + __sad(static_cast<int>(a), static_cast<int>(b), c) + __usad(a, b, c) +
      static_cast<unsigned>(__mul24(static_cast<int>(a), static_cast<int>(b))) + __umul24(b, c) +
      static_cast<unsigned>(__hadd(static_cast<int>(a), static_cast<int>(c))) + __urhadd(a, b) +
      __uhadd(b, c) + static_cast<unsigned>(__rhadd(static_cast<int>(a), static_cast<int>(b)));
  r = r * 31 + __fns(a, b & 31, static_cast<int>(c % 9) - 4);
  out[i] = r;
}

extern "C" __global__ void aggregated_by_value(unsigned* out, const unsigned* in) {
  __shared__ unsigned bins[16], firsts[16];
  const unsigned t = threadIdx.x, lane = t & 31, x = in[blockIdx.x * 64 + t] & 15;
  if (t < 16) bins[t] = 0, firsts[t] = ~0u;
  __syncthreads();
  const unsigned peers = __match_any_sync(0xffffffff, x);
  const unsigned leader = __ffs(peers) - 1, rank = __popc(peers & ((1u << lane) - 1));
  unsigned before = 0;
  if (lane == leader) before = atomicAdd(&bins[x], __popc(peers));
  before = __shfl_sync(peers, before, leader);
  if (rank == 0) atomicMin(&firsts[x], t);
  __syncthreads();
  // In any order of warps, the slots of a value are 0 to its count - 1.
  atomicAdd(&out[256 + x], (before + rank + 1) * (before + rank + 1));
  out[blockIdx.x * 64 + t] = bins[x] * 1000 + firsts[x];
}

extern "C" __global__ void floats_in_pieces(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  const float x = __uint_as_float((in[i] & 0x807fffff) | (110 + in[i + 256] % 40) << 23);
  const float y = __uint_as_float((in[i + 64] & 0x807fffff) | (120 + in[i + 512] % 12) << 23);
  int exponent, quotient;
  float whole;
  const float fraction = frexpf(x, &exponent);
  const float part = modff(y, &whole);
  unsigned r = __float_as_uint(fraction) ^ static_cast<unsigned>(exponent) * 77;
  r = r * 31 + __float_as_uint(ldexpf(y, static_cast<int>(in[i] % 300) - 150));
  r = r * 31 + __float_as_uint(part) + __float_as_uint(whole);
  r = r * 31 + __float_as_uint(nextafterf(x, y)) + __float_as_uint(copysignf(x, y));
  r = r * 31 + __float_as_uint(fmodf(x, y)) + __float_as_uint(remainderf(x, y));
  r = r * 31 + __float_as_uint(remquof(x, y, &quotient)) + static_cast<unsigned>(quotient & 7);
  r = r * 31 + static_cast<unsigned>(ilogbf(x)) + __float_as_uint(logbf(y));
  r = r * 31 + __float_as_uint(fdimf(x, y)) + (signbit(x) ? 1 : 0);
  r = r * 31 + static_cast<unsigned>(lrintf(y)) + static_cast<unsigned>(llroundf(y)) +
      static_cast<unsigned>(__float2int_rd(y)) + __float2uint_ru(fabsf(y));
  r = r * 31 + __float_as_uint(rintf(y)) + __float_as_uint(truncf(y)) + __float_as_uint(roundf(y)) +
      __float_as_uint(nearbyintf(y));
  out[i] = r;
}

extern "C" __global__ void directed_rounding(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  const float a = __uint_as_float(0x3f800000 | in[i] >> 9),
              b = __uint_as_float(0x40000000 | in[i + 256] >> 9);
  const double c = a * 1.1, d = b / 3.0;
  unsigned r = __float_as_uint(__fadd_rd(a, b)) ^ __float_as_uint(__fsub_ru(a, b)) * 3;
  r = r * 31 + (__float_as_uint(__fmul_rz(a, b)) ^ __float_as_uint(__fdiv_rd(a, b)) * 3);
  r = r * 31 + (__float_as_uint(__fsqrt_ru(a)) ^ __float_as_uint(__frcp_rz(b)) * 3);
  r = r * 31 + (__float_as_uint(__fmaf_ru(a, b, -a)) ^ __float_as_uint(__fmaf_rd(a, -b, a)) * 3);
  const auto mix = [&](double v) {
    const long long bits = __double_as_longlong(v);
    r = r * 31 + static_cast<unsigned>(bits ^ bits >> 32);
  };
  mix(__dadd_ru(c, d)), mix(__dmul_rd(c, d)), mix(__ddiv_rz(c, d)), mix(__dsqrt_ru(c));
  mix(__fma_rd(c, d, -c)), mix(__drcp_ru(d));
  r = r * 31 + __float_as_uint(__double2float_rd(c)) +
      __float_as_uint(__ll2float_ru(__double_as_longlong(d)));
  out[i] = r * 31 + __float_as_uint(__frsqrt_rn(a));
}

extern "C" __global__ void half_pairs(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  const auto pair = [&](unsigned word) {
    const unsigned bits = (word & 0x83ff83ff) | 0x38003800 + (word >> 10 & 0x0c000000);
    return *reinterpret_cast<const __half2*>(&bits);
  };
  const auto bits = [](__half2 v) { return *reinterpret_cast<unsigned*>(&v); };
  const __half2 a = pair(in[i]), b = pair(in[i + 256]), c = pair(in[i + 512]);
  unsigned r = bits(__hfma2(a, b, c)) ^ bits(__hmax2(a, b)) * 3 ^ bits(__hmin2_nan(b, c)) * 5;
  r = r * 31 +
      (bits(__hsub2_sat(a, b)) ^ bits(__hadd2_rn(b, c)) * 3 ^ bits(__hfma2_relu(a, b, c)) * 5);
  r = r * 31 + (__hlt2_mask(a, b) ^ __hgeu2_mask(b, c) * 3) + bits(__heq2(a, b)) + __hbne2(a, c);
  r = r * 31 + bits(h2rint(a)) + bits(h2floor(b)) + bits(h2ceil(c)) + bits(h2trunc(a));
  r = r * 31 + bits(__lowhigh2highlow(a)) + bits(__highs2half2(a, b)) + bits(__lows2half2(b, c));
  r = r * 31 + static_cast<unsigned>(__half2int_rd(__low2half(a))) +
      __half2ushort_ru(__habs(__high2half(b)));
  r = r * 31 + bits(__shfl_xor_sync(0xffffffff, a, 3)) + bits(__hcmadd(a, b, c));
  r = r * 31 + bits(__hneg2(__habs2(c))) + bits(make_half2(__low2half(a), __high2half(c)));
  out[i] = r;
}

extern "C" __global__ void printed(unsigned* out, const unsigned* in) {
  const unsigned t = threadIdx.x;
  const char* names[] = {"zero", "one", "two"};
  if (t == 3) {
    out[0] = printf("%s and %s: %d\n", names[1], names[in[0] * 0 + 2], -5);
    out[1] = printf("%lld %llu %llx\n", -5000000000ll, 5000000000ull, 0xabcdef0123ull);
    out[2] =
        printf("[%8.3f] [%-8s] [%+d] [%05u] [%c] [%%] [%e]\n", 3.14159, "left", 7, 42u, 'x', 1e10);
    out[3] = printf("nothing\n");
  }
  out[4 + t] = in[t];
}
