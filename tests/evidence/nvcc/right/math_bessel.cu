// SPDX-License-Identifier: Apache-2.0
// Bessel functions of float.
// launch: --kernel curves --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:96
__global__ void curves(const float* in, float* out) {
  const float x = in[threadIdx.x] + 0.5f;
  out[threadIdx.x] = j0f(x);
  out[32 + threadIdx.x] = y1f(x);
  out[64 + threadIdx.x] = jnf(3, x);
}
