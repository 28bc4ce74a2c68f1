// SPDX-License-Identifier: Apache-2.0
// A bitwise AND of floats.
__global__ void kernel(float* out, const float* in) { out[threadIdx.x] = in[0] & in[1]; }
