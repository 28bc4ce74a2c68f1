// SPDX-License-Identifier: Apache-2.0
// float4 loads and stores through reinterpret_cast.
// launch: --kernel quads --grid 1 --block 32 --arg in:f32:128:iota --arg out:f32:128
__global__ void quads(const float* in, float* out) {
  float4 v = reinterpret_cast<const float4*>(in)[threadIdx.x];
  v.x += v.w;
  v.y = -v.y;
  reinterpret_cast<float4*>(out)[31 - threadIdx.x] = v;
}
