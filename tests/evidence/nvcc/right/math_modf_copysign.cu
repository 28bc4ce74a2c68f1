// SPDX-License-Identifier: Apache-2.0
// modf, copysign, fdim, nextafter and signbit.
// launch: --kernel parts --grid 1 --block 32 --arg out:f32:32
__global__ void parts(float* out) {
  float whole;
  const float x = threadIdx.x * 1.3f - 9;
  const float part = modff(x, &whole);
  out[threadIdx.x] = part + 2 * whole + copysignf(3, x) + fdimf(x, 1) + nextafterf(x, 100) + signbit(x);
}
