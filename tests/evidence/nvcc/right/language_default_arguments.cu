// SPDX-License-Identifier: Apache-2.0
// Default arguments and overloads of a device function.
// launch: --kernel clamped --grid 1 --block 32 --arg out:f32:32
__device__ float clamp_to(float x, float low = 0.0f, float high = 10.0f) { return fminf(fmaxf(x, low), high); }
__device__ float clamp_to(int x) { return clamp_to(static_cast<float>(x), 5.0f); }
__global__ void clamped(float* out) {
  const int t = threadIdx.x;
  out[t] = clamp_to(t - 3.0f) + clamp_to(t) + clamp_to(t * 1.0f, 2.0f);
}
