// SPDX-License-Identifier: Apache-2.0
// hypot, rhypot, norm3d, rnorm4d and normf.
// launch: --kernel lengths --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:32
__global__ void lengths(const float* in, float* out) {
  const float x = in[threadIdx.x] + 1;
  const float v[3] = {x, 2, 3};
  out[threadIdx.x] = hypotf(x, 2) + rhypotf(x, 3) + norm3df(x, 1, 2) + rnorm4df(x, 1, 2, 3) + normf(3, v);
}
