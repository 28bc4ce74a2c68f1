// SPDX-License-Identifier: Apache-2.0
// fprintf(stderr, ...) in a kernel.
#include <cstdio>
__global__ void kernel(int* out) {
  fprintf(stderr, "no\n");
  out[threadIdx.x] = 1;
}
