// SPDX-License-Identifier: Apache-2.0
// make_float2 to make_float4, members, and a sum of members.
// launch: --kernel sums --grid 1 --block 32 --arg out:f32:32
__global__ void sums(float* out) {
  const float2 a = make_float2(threadIdx.x, 1);
  const float3 b = make_float3(a.x, a.y, 2);
  float4 c = make_float4(b.x, b.y, b.z, 3);
  c.w *= 2;
  out[threadIdx.x] = c.x + c.y * c.z - c.w;
}
