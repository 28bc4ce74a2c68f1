// SPDX-License-Identifier: Apache-2.0
// restrict, which is not a C++ keyword.
__global__ void kernel(int* restrict out, const int* restrict in) { out[threadIdx.x] = in[threadIdx.x]; }
