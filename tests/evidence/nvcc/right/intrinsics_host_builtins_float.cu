// SPDX-License-Identifier: Apache-2.0
// __builtin_fabsf and __builtin_inff.
// launch: --kernel values --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:32
__global__ void values(const float* in, float* out) {
  const float x = 3 - in[threadIdx.x];
  out[threadIdx.x] = x < -20 ? __builtin_inff() : __builtin_fabsf(x);
}
