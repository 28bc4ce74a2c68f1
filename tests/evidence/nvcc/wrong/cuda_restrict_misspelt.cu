// SPDX-License-Identifier: Apache-2.0
// The name restrict, which is not a keyword of C++.
__global__ void kernel(int* restrict out, const int* restrict in) { out[threadIdx.x] = in[threadIdx.x]; }
