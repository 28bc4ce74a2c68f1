// SPDX-License-Identifier: Apache-2.0
// assert() with a message as a second argument.
#include <cassert>
__global__ void kernel(int* out, int n) {
  assert(n > 0, "n must be positive");
  out[threadIdx.x] = n;
}
