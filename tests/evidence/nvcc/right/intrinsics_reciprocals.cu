// SPDX-License-Identifier: Apache-2.0
// __frcp_rn, __frsqrt_rn, rsqrtf and exact reciprocals.
// launch: --kernel inverses --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:32
__global__ void inverses(const float* in, float* out) {
  const float x = in[threadIdx.x] + 1;
  out[threadIdx.x] = __frcp_rn(x) + __frsqrt_rn(x) + 1 / x + __frcp_rz(x);
}
