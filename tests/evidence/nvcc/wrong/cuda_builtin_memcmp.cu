// SPDX-License-Identifier: Apache-2.0
// A comparison of memory by GCC's built-in function.
__global__ void kernel(int* out, const char* a, const char* b) {
  out[threadIdx.x] = __builtin_memcmp(a, b, 4);
}
