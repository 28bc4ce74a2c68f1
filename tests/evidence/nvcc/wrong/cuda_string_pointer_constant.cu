// SPDX-License-Identifier: Apache-2.0
// A constant pointer of the host to a string.
const char* const text = "abc";
__global__ void kernel(char* out) { out[threadIdx.x] = text[0]; }
