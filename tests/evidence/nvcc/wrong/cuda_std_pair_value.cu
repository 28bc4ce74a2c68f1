// SPDX-License-Identifier: Apache-2.0
// A std::pair that a kernel makes.
#include <utility>
__global__ void kernel(int* out) {
  std::pair<int, int> range{1, 2};
  out[threadIdx.x] = range.second;
}
