// SPDX-License-Identifier: Apache-2.0
// sincosf, sincospif and sinpi.
// launch: --kernel waves --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:32
__global__ void waves(const float* in, float* out) {
  float s, c, sp, cp;
  sincosf(in[threadIdx.x], &s, &c);
  sincospif(in[threadIdx.x] / 8, &sp, &cp);
  out[threadIdx.x] = s + 2 * c + 4 * sp + 8 * cp + sinpif(0.25f) + cospif(0.125f);
}
