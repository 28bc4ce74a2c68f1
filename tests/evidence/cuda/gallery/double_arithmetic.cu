// SPDX-License-Identifier: Apache-2.0
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
