// SPDX-License-Identifier: Apache-2.0
// make_float3 with two arguments.
__global__ void kernel(float* out) {
  float3 v = make_float3(1, 2);
  out[threadIdx.x] = v.x;
}
