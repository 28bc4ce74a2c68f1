// SPDX-License-Identifier: Apache-2.0
// A const char pointer at file scope used in printf.
#include <cstdio>
const char* kName = "warp";
__global__ void kernel(int* out) {
  printf("%s\n", kName);
  out[threadIdx.x] = 1;
}
