// SPDX-License-Identifier: Apache-2.0
// float4 has no operator +.
__global__ void kernel(float4* out, const float4* in) { out[threadIdx.x] = in[0] + in[threadIdx.x]; }
