// SPDX-License-Identifier: Apache-2.0
// realloc() in a kernel.
#include <cstdlib>
__global__ void kernel(int* out) {
  int* p = (int*)malloc(16);
  p = (int*)realloc(p, 32);
  out[threadIdx.x] = p != nullptr;
}
