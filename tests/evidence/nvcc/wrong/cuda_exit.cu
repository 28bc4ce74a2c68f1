// SPDX-License-Identifier: Apache-2.0
// exit() in a kernel.
#include <cstdlib>
__global__ void kernel(int* out, int n) {
  if (n < 0) exit(1);
  out[threadIdx.x] = n;
}
