// SPDX-License-Identifier: Apache-2.0
// float2 has no z.
__global__ void kernel(float* out, const float2* in) { out[threadIdx.x] = in[threadIdx.x].z; }
