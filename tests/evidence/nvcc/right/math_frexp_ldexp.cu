// SPDX-License-Identifier: Apache-2.0
// frexp, ldexp, scalbn, logb and ilogb.
// launch: --kernel parts --grid 1 --block 32 --arg out:f32:32
__global__ void parts(float* out) {
  int exponent;
  const float x = 0.37f * (threadIdx.x + 1) * (threadIdx.x + 1);
  const float fraction = frexpf(x, &exponent);
  out[threadIdx.x] = fraction + exponent + ldexpf(fraction, 3) + scalbnf(x, -2) + logbf(x) + ilogbf(x);
}
