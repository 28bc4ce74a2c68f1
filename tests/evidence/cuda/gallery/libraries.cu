// SPDX-License-Identifier: Apache-2.0
// Libraries of the toolkit: containers and numbers of libcu++, and generators of cuRAND.
//
// launch: tuples_and_pairs grid 4 block 64
// launch: spans_and_optionals grid 4 block 64
// launch: complex_numbers grid 4 block 64
// launch: bits_and_limits grid 4 block 64
// launch: functional_and_algorithms grid 4 block 64
// launch: curand_xorwow grid 2 block 64
// launch: curand_philox grid 2 block 64
// launch: curand_mrg grid 1 block 64
// launch: curand_sobol_like grid 2 block 64
#include <curand_kernel.h>

#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/chrono>
#include <cuda/std/complex>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/utility>
#include <cuda/std/variant>

extern "C" __global__ void tuples_and_pairs(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  cuda::std::tuple<int, float, unsigned char> t(static_cast<int>(in[i]), in[i] * 0.5f, in[i] >> 3);
  auto [a, b, c] = t;
  cuda::std::pair<unsigned, unsigned> p{in[i + 1], in[i + 2]};
  cuda::std::swap(p.first, p.second);
  cuda::std::get<0>(t) += 3;
  const auto joined = cuda::std::tuple_cat(t, cuda::std::make_tuple(7u));
  out[i] = static_cast<unsigned>(cuda::std::get<0>(joined)) ^ __float_as_uint(b) ^ c ^ p.first * 3 ^
           static_cast<unsigned>(a) ^ cuda::std::get<3>(joined) ^
           (t < cuda::std::make_tuple(5, 1.0f, static_cast<unsigned char>(1)));
}
__device__ cuda::std::optional<unsigned> half_of(unsigned x) {
  if (x & 1) return cuda::std::nullopt;
  return x / 2;
}
extern "C" __global__ void spans_and_optionals(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  cuda::std::array<unsigned, 8> a;
  for (unsigned k = 0; k < a.size(); ++k) a[k] = in[i * 8 + k];
  const cuda::std::span<const unsigned> s(a.data() + 2, 5);
  unsigned sum = 0;
  for (unsigned x : s) sum += x;
  for (auto it = a.rbegin(); it != a.rend(); ++it) sum = sum * 3 + *it;
  cuda::std::variant<int, float> v;
  if (in[i] & 4)
    v = 1.5f * i;
  else
    v = static_cast<int>(i);
  const unsigned which = cuda::std::holds_alternative<float>(v)
                             ? __float_as_uint(cuda::std::get<float>(v))
                             : cuda::std::get<int>(v);
  out[i] = sum + half_of(in[i]).value_or(17) + s.first(2)[1] + s.back() + which;
}
extern "C" __global__ void complex_numbers(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  cuda::std::complex<float> z(0, 0),
      c((in[i] & 0xff) * 0.01f - 1.5f, (in[i] >> 8 & 0xff) * 0.01f - 1.2f);
  int steps = 0;
  while (cuda::std::norm(z) < 4.0f && steps < 40) {
    z = z * z + c;
    ++steps;
  }
  cuda::std::complex<double> w(in[i] * 0x1p-20, in[i + 1] * 0x1p-21),
      q = w / cuda::std::complex<double>(3, -1.5);
  q += cuda::std::conj(w) - 2.0 * w;
  out[2 * i] = __float_as_uint(z.real()) ^ steps;
  out[2 * i + 1] = static_cast<unsigned>(__double_as_longlong(q.real()) >> 16) ^
                   static_cast<unsigned>(__double_as_longlong(q.imag()) >> 9);
}
extern "C" __global__ void bits_and_limits(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x, x = in[i];
  using cuda::std::numeric_limits;
  unsigned r =
      cuda::std::popcount(x) + cuda::std::countl_zero(x) * 3 + cuda::std::countr_one(x) * 5;
  r += cuda::std::rotl(x, 7) ^ cuda::std::bit_ceil(x >> 2) ^ cuda::std::bit_floor(x) ^
       cuda::std::bit_width(x);
  r += cuda::std::has_single_bit(x) + static_cast<unsigned>(numeric_limits<int>::min());
  r ^= __float_as_uint(numeric_limits<float>::epsilon() * x) ^
       cuda::std::bit_cast<unsigned>(numeric_limits<float>::denorm_min());
  r ^= static_cast<unsigned>(numeric_limits<unsigned long long>::max() / (x | 1));
  out[i] = r + numeric_limits<double>::digits10;
}
extern "C" __global__ void functional_and_algorithms(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  unsigned r = cuda::std::plus<>{}(in[i], in[i + 1]) ^ cuda::std::min(in[i], in[i + 2]) ^
               cuda::std::max({in[i], 5u, in[i + 3]});
  auto bound = [&](unsigned x) {
    return cuda::std::invoke([](unsigned a, unsigned b) { return a % (b | 1); }, x, in[i]);
  };
  r += bound(in[i + 5]) + cuda::std::exchange(r, 3u);
  const auto d = cuda::std::chrono::duration_cast<cuda::std::chrono::milliseconds>(
      cuda::std::chrono::seconds(in[i] & 0xff));
  out[i] = r + static_cast<unsigned>(d.count());
}
extern "C" __global__ void curand_xorwow(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  curandState state;
  curand_init(in[0], i, i % 3, &state);
  unsigned r = 0;
  for (int k = 0; k < 10; ++k) r = r * 31 + curand(&state);
  out[3 * i] = r;
  out[3 * i + 1] = __float_as_uint(curand_uniform(&state));
  out[3 * i + 2] = static_cast<unsigned>(__double_as_longlong(curand_uniform_double(&state)) >> 18);
}
extern "C" __global__ void curand_philox(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  curandStatePhilox4_32_10_t state;
  curand_init(1234ull, i, 7, &state);
  const uint4 four = curand4(&state);
  skipahead(100ull, &state);
  const float4 reals = curand_uniform4(&state);
  out[4 * i] = four.x ^ four.y * 3 ^ four.z * 5 ^ four.w * 7;
  out[4 * i + 1] = __float_as_uint(reals.x + reals.w);
  const float normal = curand_normal(&state);
  out[4 * i + 2] = fabsf(normal) < 6;
  int inside = 0;
  for (int k = 0; k < 20; ++k) {
    const float x = curand_uniform(&state), y = curand_uniform(&state);
    inside += x * x + y * y < 1;
  }
  out[4 * i + 3] = static_cast<unsigned>(inside) + curand_poisson(&state, 4.0) * 0 + in[i] * 0;
}
extern "C" __global__ void curand_mrg(unsigned* out, const unsigned* in) {
  const unsigned i = threadIdx.x;
  curandStateMRG32k3a state;
  curand_init(99, i, 0, &state);
  out[2 * i] = curand(&state) ^ in[i];
  out[2 * i + 1] = __float_as_uint(curand_uniform(&state));
}
extern "C" __global__ void curand_sobol_like(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  curandDirectionVectors32_t vectors;
  for (int k = 0; k < 32; ++k) vectors[k] = 1u << (31 - k);
  curandStateSobol32 state;
  curand_init(vectors, i, &state);
  out[2 * i] = curand(&state) + in[i] * 0;
  out[2 * i + 1] = __float_as_uint(curand_uniform(&state));
}
