// SPDX-License-Identifier: Apache-2.0
// A file-scope pointer to const char, printed by a kernel.
#include <cstdio>
const char* kName = "warp";
__global__ void kernel(int* out) {
  printf("%s\n", kName);
  out[threadIdx.x] = 1;
}
