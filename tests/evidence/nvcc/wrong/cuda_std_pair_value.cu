// SPDX-License-Identifier: Apache-2.0
// A std::pair constructed in a kernel.
#include <utility>
__global__ void kernel(int* out) {
  std::pair<int, int> range{1, 2};
  out[threadIdx.x] = range.second;
}
