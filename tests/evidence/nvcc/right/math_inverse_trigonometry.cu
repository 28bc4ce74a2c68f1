// SPDX-License-Identifier: Apache-2.0
// Inverse trigonometric functions in float and double.
// launch: --kernel curves --grid 1 --block 32 --arg in:f64:32:iota --arg out:f64:96
__global__ void curves(const double* in, double* out) {
  const double x = in[threadIdx.x] / 32;
  out[threadIdx.x] = asin(x) + acosf(static_cast<float>(x));
  out[32 + threadIdx.x] = atan2(x, 0.3);
  out[64 + threadIdx.x] = atanf(static_cast<float>(x));
}
