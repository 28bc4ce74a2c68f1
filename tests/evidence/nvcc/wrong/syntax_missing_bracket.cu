// SPDX-License-Identifier: Apache-2.0
// A bracket is missing in an index.
__global__ void copy(int* out, const int* in) { out[threadIdx.x = in[threadIdx.x]; }
