// SPDX-License-Identifier: Apache-2.0
// fmod, remainder and remquo in both precisions.
// launch: --kernel rests --grid 1 --block 32 --arg in:f32:32:iota --arg out:f64:32
__global__ void rests(const float* in, double* out) {
  int quotient;
  const float x = in[threadIdx.x] * 1.7f - 20;
  const double r = remainder(double(x), 0.75) + remquof(x, 3.0f, &quotient);
  out[threadIdx.x] = fmodf(x, 2.5f) + r + quotient;
}
