// SPDX-License-Identifier: Apache-2.0
// erf, erfc, lgamma, and tgamma of float.
// launch: --kernel curves --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:128
__global__ void curves(const float* in, float* out) {
  const float x = in[threadIdx.x] * 0.125f + 0.1f;
  out[threadIdx.x] = erff(x);
  out[32 + threadIdx.x] = erfcf(x);
  out[64 + threadIdx.x] = lgammaf(x);
  out[96 + threadIdx.x] = tgammaf(x);
}
