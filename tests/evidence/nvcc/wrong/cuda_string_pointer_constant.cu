// SPDX-License-Identifier: Apache-2.0
// A const host pointer to a string.
const char* const text = "abc";
__global__ void kernel(char* out) { out[threadIdx.x] = text[0]; }
