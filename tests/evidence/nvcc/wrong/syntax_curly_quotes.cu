// SPDX-License-Identifier: Apache-2.0
// Typographic quotes from a word processor.
#include <cstdio>
__global__ void kernel(int* out) {
  printf(“done”);
  out[threadIdx.x] = 1;
}
