// SPDX-License-Identifier: Apache-2.0
// exp, log, sin, cos, pow and cbrt in double: the library's own code.
// launch: grid 4 block 256

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const double x = static_cast<double>(in[i]) / 1.0e8;
  double r = exp(-x) + log(x + 1) + sin(x) + cos(x) + pow(x, 1.5) + tanh(x) + erf(x);
  r += atan2(x, 3.0) + log10(x + 2) + exp2(x * 0.1) + hypot(x, 2.0);
  const auto bits = static_cast<unsigned long long>(__double_as_longlong(r));
  out[i] = static_cast<unsigned>(bits) ^ static_cast<unsigned>(bits >> 32);
}
