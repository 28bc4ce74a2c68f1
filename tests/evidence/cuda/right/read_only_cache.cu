// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 64 --arg out:f32:64 --arg in:f32:64:iota
extern "C" __global__ void k(float* __restrict__ out, const float* __restrict__ in) {
  out[threadIdx.x] = in[threadIdx.x] + __ldg(in + (threadIdx.x + 1) % 64);
}
