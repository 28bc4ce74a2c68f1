// SPDX-License-Identifier: Apache-2.0
// Hyperbolic functions and their inverses.
// launch: --kernel curves --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:128
__global__ void curves(const float* in, float* out) {
  const float x = in[threadIdx.x] * 0.0625f;
  out[threadIdx.x] = sinhf(x);
  out[32 + threadIdx.x] = tanhf(x);
  out[64 + threadIdx.x] = asinhf(x);
  out[96 + threadIdx.x] = atanhf(x * 0.5f);
}
