// SPDX-License-Identifier: Apache-2.0
// sqrt, rsqrt, cbrt, fma and division of doubles.
// launch: --kernel values --grid 1 --block 32 --arg in:f64:32:iota --arg out:f64:32
__global__ void values(const double* in, double* out) {
  const double x = in[threadIdx.x] + 0.5;
  out[threadIdx.x] = sqrt(x) + 1 / x + fma(x, x, -1.0) + cbrt(x) + rsqrt(x) + floor(x * 0.3);
}
