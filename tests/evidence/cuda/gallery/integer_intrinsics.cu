// SPDX-License-Identifier: Apache-2.0
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
