// SPDX-License-Identifier: Apache-2.0
// exit() in a kernel.
#include <cstdlib>
__global__ void kernel(int* out) {
  if (out == nullptr) exit(1);
  out[threadIdx.x] = 1;
}
