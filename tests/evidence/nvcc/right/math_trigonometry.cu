// SPDX-License-Identifier: Apache-2.0
// tan, asin, acos, atan, atan2, sinh, cosh and tanh.
// launch: --kernel values --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:256
__global__ void values(const float* in, float* out) {
  const float x = in[threadIdx.x] / 32;
  float* mine = out + 8 * threadIdx.x;
  mine[0] = tanf(x);
  mine[1] = asinf(x);
  mine[2] = acosf(x);
  mine[3] = atanf(x);
  mine[4] = atan2f(x, 0.5f);
  mine[5] = sinhf(x);
  mine[6] = coshf(x);
  mine[7] = tanhf(x);
}
