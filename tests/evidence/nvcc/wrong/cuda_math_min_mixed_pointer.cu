// SPDX-License-Identifier: Apache-2.0
// min() of a number and a pointer.
__global__ void kernel(int* out, const int* in) { out[threadIdx.x] = min(in[0], in); }
