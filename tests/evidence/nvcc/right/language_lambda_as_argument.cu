// SPDX-License-Identifier: Apache-2.0
// A lambda passed to a template function in device code.
// launch: --kernel areas --grid 1 --block 32 --arg out:f32:32
template <typename F>
__device__ float integrate(F f, float from, float to, int steps) {
  const float width = (to - from) / steps;
  float sum = 0;
  for (int i = 0; i < steps; ++i) sum += f(from + i * width) * width;
  return sum;
}
__global__ void areas(float* out) {
  const int t = threadIdx.x;
  out[t] = integrate([t](float x) { return x * x + t; }, 0, 1, 64);
}
