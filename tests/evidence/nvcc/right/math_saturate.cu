// SPDX-License-Identifier: Apache-2.0
// __saturatef, fminf and fmaxf with NaN, and fmaxf with an infinity.
// launch: --kernel clamped --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:32
__global__ void clamped(const float* in, float* out) {
  const float x = in[threadIdx.x] / 10 - 1, nan = nanf("");
  out[threadIdx.x] = __saturatef(x) + fminf(x, nan) + fmaxf(nan, -x) + fmaxf(x, -1.0f / 0.0f);
}
