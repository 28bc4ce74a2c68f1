// SPDX-License-Identifier: Apache-2.0
// Parentheses instead of brackets.
__global__ void copy(int* out, const int* in) { out[threadIdx.x] = in(threadIdx.x); }
