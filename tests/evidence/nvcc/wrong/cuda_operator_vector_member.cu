// SPDX-License-Identifier: Apache-2.0
// float4 indexed like an array.
__global__ void kernel(float* out, const float4* in) { out[threadIdx.x] = in[threadIdx.x][2]; }
