// SPDX-License-Identifier: Apache-2.0
// The text at the start of every random program: short names for types, and functions without
// undefined behaviour or implementation-dependent results.
#include "tests/evidence/random/program.h"

namespace warpgrade::programs {

// If several sources of an f64 result are NaNs, the result may have any of their payloads, because
// PTX lets the assembler swap them. So canonical() hides the bits of f64 NaNs.
const char* const kPrelude = R"cuda(
#pragma nv_diag_suppress 177, 550, 186, 128, 111
#include <cuda_bf16.h>
#include <cuda_fp16.h>
typedef unsigned char u8;
typedef signed char s8;
typedef unsigned short u16;
typedef short s16;
typedef unsigned u32;
typedef int s32;
typedef unsigned long long u64;
typedef long long s64;
typedef float f32;
typedef double f64;
typedef __half f16;
typedef __nv_bfloat16 bf16;
typedef __half2 f16x2;
typedef __nv_bfloat162 bf16x2;
#define INLINE static __device__ __forceinline__
#define APART static __device__ __noinline__

INLINE f64 canonical(f64 x) { return x != x ? __longlong_as_double(0x7ff8000000000000LL) : x; }

INLINE f32 make_f32(u32 x) { return __uint_as_float(x); }
INLINE f64 make_f64(u64 x) { return __longlong_as_double((s64)x); }
INLINE f16 make_f16(u16 x) { return __ushort_as_half(x); }
INLINE bf16 make_bf16(u16 x) { return __ushort_as_bfloat16(x); }
INLINE f16x2 make_f16x2(u32 x) {
  return __halves2half2(make_f16((u16)x), make_f16((u16)(x >> 16)));
}
INLINE bf16x2 make_bf16x2(u32 x) {
  return __halves2bfloat162(make_bf16((u16)x), make_bf16((u16)(x >> 16)));
}

INLINE u32 word(u8 x) { return x; }
INLINE u32 word(s8 x) { return (u32)x; }
INLINE u32 word(u16 x) { return x; }
INLINE u32 word(s16 x) { return (u32)x; }
INLINE u32 word(u32 x) { return x; }
INLINE u32 word(s32 x) { return (u32)x; }
INLINE u32 word(u64 x) { return (u32)x ^ (u32)(x >> 32); }
INLINE u32 word(s64 x) { return word((u64)x); }
INLINE u32 word(f32 x) { return __float_as_uint(x); }
INLINE u64 wide(f64 x) { return (u64)__double_as_longlong(canonical(x)); }
INLINE u32 word(f64 x) { return word(wide(x)); }
INLINE u32 word(f16 x) { return __half_as_ushort(x); }
INLINE u32 word(bf16 x) { return __bfloat16_as_ushort(x); }
INLINE u32 word(f16x2 x) { return word(__low2half(x)) | word(__high2half(x)) << 16; }
INLINE u32 word(bf16x2 x) { return word(__low2bfloat16(x)) | word(__high2bfloat16(x)) << 16; }

// The low 16 bits, in a way that hides from the compiler what they are of.
INLINE u16 cut(u32 x) {
  u16 r;
  asm("cvt.u16.u32 %0, %1;" : "=h"(r) : "r"(x));
  return r;
}

template <typename T> INLINE T quotient(T a, T b) {
  return b == (T)0 ? (T)~a : b == (T)-1 ? (T)(0 - (u64)a) : (T)(a / b);
}
template <typename T> INLINE T remainder_of(T a, T b) {
  return b == (T)0 ? a : b == (T)-1 ? (T)0 : (T)(a % b);
}

// The lane that holds the set bit number `k` modulo their count of `mask`, which is not 0.
INLINE u32 lane_of(u32 mask, u32 k) {
  for (k %= __popc(mask); k > 0; --k) mask &= mask - 1;
  return __ffs(mask) - 1;
}

__constant__ u32 table[16] = {0,          1,          0xffffffffu, 0x80000000u, 0x7fffffffu, 5,
                              0x3f800000, 0x7f800000, 0xff800000u, 0x7fc00000,  0x80000001u, 31,
                              0xdeadbeef, 0x00010001, 0x3c003c00,  0x55555555};
__device__ const s16 short_table[8] = {0, 1, -1, 32767, -32768, 100, -7, 255};

// Each thread has one of these to itself, in global and in shared memory.
struct alignas(16) Own {
  u32 a; s32 b; u64 c;
  f32 d; u32 e; f64 f;
  f16x2 h; bf16x2 k; u16 n[4];
  uint4 v;
  float4 w;
  u8 m[8]; u64 x;
};

// shfl.sync with any operand c, as in the manual's pseudocode. If `mask` lacks the source lane, the
// result is `value`.
#define SHUFFLED(MODE, LANE, INSIDE) \
  INLINE u32 shuffled_##MODE(u32 mask, u32 value, u32 b, u32 c, u32 lane) { \
    const s32 at = b & 31, segment = c >> 8 & 31, clamp = c & 31; \
    const s32 first = lane & segment, last = first | (clamp & ~segment); \
    s32 from = LANE; \
    const bool inside = INSIDE; \
    if (!inside) from = lane; \
    u32 got, flag; \
    asm volatile("{ .reg .pred p; shfl.sync." #MODE ".b32 %0|p, %2, %3, %4, %5; " \
                 "selp.u32 %1, 1, 0, p; }" \
                 : "=r"(got), "=r"(flag) : "r"(value), "r"(b), "r"(c), "r"(mask)); \
    return (mask >> from & 1 ? got : value) + flag + 2 * inside; \
  }
SHUFFLED(up, (s32)lane - at, from >= last)
SHUFFLED(down, (s32)lane + at, from <= last)
SHUFFLED(bfly, (s32)lane ^ at, from <= last)
SHUFFLED(idx, first | (at & ~segment), from <= last)

INLINE u32 rotated(u32 sum, u32 value) { return __funnelshift_l(sum, sum, 5) ^ value; }
)cuda";

}  // namespace warpgrade::programs
