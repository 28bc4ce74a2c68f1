// SPDX-License-Identifier: Apache-2.0
// Comparing vectors.
__global__ void kernel(int* out, const int2* in) { out[threadIdx.x] = in[0] < in[1]; }
