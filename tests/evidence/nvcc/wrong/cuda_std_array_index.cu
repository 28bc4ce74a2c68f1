// SPDX-License-Identifier: Apache-2.0
// std::array indexed in a kernel.
#include <array>
__global__ void kernel(int* out) {
  std::array<int, 3> a = {1, 2, 3};
  out[threadIdx.x] = a[threadIdx.x % 3];
}
