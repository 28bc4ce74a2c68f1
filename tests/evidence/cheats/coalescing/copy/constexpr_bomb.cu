// SPDX-License-Identifier: Apache-2.0
// tries: Computes billions of steps at compile time.
// stopped by: The compiler has its own limits, and its process has more
//   (common/compile/compiler_process.cpp).
// verdict: fail compile, 0 points
constexpr unsigned spin(unsigned n) {
  unsigned x = n;
  for (unsigned i = 0; i < 4000000000u; ++i) x = x * 1664525u + i;
  return x;
}
constexpr unsigned kValue = spin(1);
__global__ void copy(float* out, const float* in, int width, int height) {
  out[0] = kValue;
}
