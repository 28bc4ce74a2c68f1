// SPDX-License-Identifier: Apache-2.0
// Division of floats by zero gives infinities and NaN without an error.
// launch: --kernel divided --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:32
__global__ void divided(const float* in, float* out) {
  const float x = in[threadIdx.x] - 16, zero = in[0];
  const float q = x / zero;
  out[threadIdx.x] = isnan(q) ? 5.0f : q;
}
