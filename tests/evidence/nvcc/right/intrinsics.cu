// SPDX-License-Identifier: Apache-2.0
// Intrinsic functions of integers and floats. corpus.py describes the parts.

//--- intrinsics_approximate
// Fast float intrinsics, rounded so that only gross errors show.
// launch: --kernel rounded --grid 1 --block 32 --arg in:f32:32:iota --arg out:i32:32
__global__ void rounded(const float* in, int* out) {
  const float x = in[threadIdx.x] / 8 + 0.125f;
  out[threadIdx.x] = int(100 * __expf(x)) + int(1000 * __sinf(x) + 0.5f) + int(1000 * __cosf(x) + 0.5f) + int(1000 * __logf(x) + 0.5f) + int(1000 * __fdividef(x, 3) + 0.5f);
}

//--- intrinsics_average_sad
// __hadd, __rhadd, __uhadd, __sad and __usad.
// launch: --kernel averages --grid 1 --block 32 --arg out:u32:32
__global__ void averages(unsigned* out) {
  const int x = threadIdx.x * 0x7654321, y = -x / 3;
  out[threadIdx.x] = __hadd(x, y) ^ __rhadd(x, y) ^ __uhadd(x, y) ^ __sad(x, y, 5u) ^ __usad(x, y, 6u);
}

//--- intrinsics_byte_permute
// __byte_perm, __funnelshift_l and __funnelshift_r with clamping.
// launch: --kernel shifted --grid 1 --block 32 --arg out:u32:32
__global__ void shifted(unsigned* out) {
  const unsigned x = threadIdx.x * 0x9e3779b9u, y = ~x;
  out[threadIdx.x] = __byte_perm(x, y, 0x2716) ^ __funnelshift_l(x, y, threadIdx.x) ^ __funnelshift_r(x, y, 40) ^ __funnelshift_rc(x, y, 40);
}

//--- intrinsics_count_bits
// __popc, __clz, __ffs, __brev and their 64-bit versions.
// launch: --kernel counts --grid 1 --block 32 --arg out:i32:32
__global__ void counts(int* out) {
  const unsigned x = threadIdx.x * 0x01234567u;
  const unsigned long long y = threadIdx.x * 0x0123456789abcdefull;
  out[threadIdx.x] = __popc(x) + 100 * __clz(x) + 10000 * __ffs(x) + int(__brev(x) >> 7) + __popcll(y) + __clzll(y) + __ffsll(y) + int(__brevll(y) >> 40);
}

//--- intrinsics_dot_products
// __dp4a and __dp2a of packed integers.
// launch: --kernel dots --grid 1 --block 32 --arg out:i32:32
__global__ void dots(int* out) {
  const int a = threadIdx.x * 0x01030507, b = 0xff02fe01;
  out[threadIdx.x] = __dp4a(a, b, 10) + __dp4a(unsigned(a), unsigned(b), 3u) + __dp2a_lo(a, b, 1) + __dp2a_hi(a, b, 2);
}

//--- intrinsics_host_builtins
// The host compiler's __builtin_clz, popcount, ffs and expect.
__global__ void counts(int* out) {
  const unsigned x = threadIdx.x * 0x01234567u + 1;
  int value = __builtin_clz(x) + 100 * __builtin_popcount(x) + 7 * __builtin_ffs(x);
  if (__builtin_expect(value > 500, 0)) value ^= int(x);
  out[threadIdx.x] = value;
}

//--- intrinsics_host_builtins_float
// __builtin_fabsf and __builtin_inff.
// launch: --kernel values --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:32
__global__ void values(const float* in, float* out) {
  const float x = 3 - in[threadIdx.x];
  out[threadIdx.x] = x < -20 ? __builtin_inff() : __builtin_fabsf(x);
}

//--- intrinsics_multiply_high
// __mulhi, __umulhi, __mul64hi, __mul24 and __umul24.
// launch: --kernel products --grid 1 --block 32 --arg out:i64:32
__global__ void products(long long* out) {
  const int x = threadIdx.x * 0x1234567 - 0x40000000;
  const long long y = x * 0x123456789ll;
  out[threadIdx.x] = __mulhi(x, x) + __umulhi(x, 0xdeadbeefu) + __mul64hi(y, y) + __mul24(x, 77) + __umul24(x, 99) + (long long)__umul64hi(y, y);
}

//--- intrinsics_reciprocals
// __frcp_rn, __frsqrt_rn, rsqrtf and exact reciprocals.
// launch: --kernel inverses --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:32
__global__ void inverses(const float* in, float* out) {
  const float x = in[threadIdx.x] + 1;
  out[threadIdx.x] = __frcp_rn(x) + __frsqrt_rn(x) + 1 / x + __frcp_rz(x);
}

//--- intrinsics_simd_bytes
// Four bytes in a word: __vadd4, __vmaxu4, __vabsdiffs4, __vcmpgtu4, __vsadu4.
// launch: --kernel bytes --grid 1 --block 32 --arg out:u32:32
__global__ void bytes(unsigned* out) {
  const unsigned a = threadIdx.x * 0x01040907u, b = 0x7f80ff01u;
  out[threadIdx.x] = __vadd4(a, b) ^ __vmaxu4(a, b) ^ __vabsdiffs4(a, b) ^ __vcmpgtu4(a, b) ^ __vsadu4(a, b) ^ __vaddus4(a, b) ^ __vsubss4(a, b);
}

//--- intrinsics_simd_halves
// Two 16-bit numbers in a word: __vadd2, __vmins2, __vavgs2, __vsetgtu2.
// launch: --kernel halves --grid 1 --block 32 --arg out:u32:32
__global__ void halves(unsigned* out) {
  const unsigned a = threadIdx.x * 0x04560789u, b = 0x8001fffeu;
  out[threadIdx.x] = __vadd2(a, b) ^ __vmins2(a, b) ^ __vavgs2(a, b) ^ __vsetgtu2(a, b) ^ __vneg2(a) ^ __vabs2(b) ^ __viaddmax_s16x2(a, b, 3);
}

//--- intrinsics_three_operands
// __vimax3_s32, __viaddmin_u32 and __vibmax of Hopper.
// launch: --kernel ends --grid 1 --block 32 --arg out:i32:32
__global__ void ends(int* out) {
  bool first;
  const int x = threadIdx.x, y = 31 - x;
  const int larger = __vibmax_s32(x, y, &first);
  out[threadIdx.x] = __vimax3_s32(x, y, 12) + 100 * int(__viaddmin_u32(x, 5u, 20u)) + 10000 * larger + first;
}
