// SPDX-License-Identifier: Apache-2.0
// std::vector in a kernel.
#include <vector>
__global__ void kernel(int* out) {
  std::vector<int> v(4);
  out[threadIdx.x] = v[0];
}
