// SPDX-License-Identifier: Apache-2.0
// float2 has no operator * with a scalar.
__global__ void kernel(float2* out, const float2* in) { out[threadIdx.x] = 2.0f * in[threadIdx.x]; }
