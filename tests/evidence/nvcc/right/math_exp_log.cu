// SPDX-License-Identifier: Apache-2.0
// exp, log, log2, log10, exp2, expm1 and log1p in single precision.
// launch: --kernel values --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:224
__global__ void values(const float* in, float* out) {
  const float x = in[threadIdx.x] * 0.3f + 0.1f;
  float* mine = out + 7 * threadIdx.x;
  mine[0] = expf(x);
  mine[1] = logf(x);
  mine[2] = log2f(x);
  mine[3] = log10f(x);
  mine[4] = exp2f(x);
  mine[5] = expm1f(x);
  mine[6] = log1pf(x);
}
