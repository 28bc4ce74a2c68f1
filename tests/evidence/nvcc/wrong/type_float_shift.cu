// SPDX-License-Identifier: Apache-2.0
// Shifting a float.
__global__ void kernel(float* out, const float* in) { out[threadIdx.x] = in[threadIdx.x] << 1; }
