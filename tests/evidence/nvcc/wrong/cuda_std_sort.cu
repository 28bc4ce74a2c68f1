// SPDX-License-Identifier: Apache-2.0
// std::sort in a kernel.
#include <algorithm>
__global__ void kernel(int* out) {
  int a[4] = {3, 1, 2, 0};
  std::sort(a, a + 4);
  out[threadIdx.x] = a[threadIdx.x % 4];
}
