// SPDX-License-Identifier: Apache-2.0
// __builtin_memcmp of GCC.
__global__ void kernel(int* out, const char* a, const char* b) {
  out[threadIdx.x] = __builtin_memcmp(a, b, 4);
}
