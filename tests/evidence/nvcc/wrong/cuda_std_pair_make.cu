// SPDX-License-Identifier: Apache-2.0
// std::make_pair in a kernel.
#include <utility>
__global__ void kernel(int* out) {
  auto p = std::make_pair(int(threadIdx.x), 2);
  out[threadIdx.x] = p.first * p.second;
}
