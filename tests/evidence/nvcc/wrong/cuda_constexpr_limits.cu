// SPDX-License-Identifier: Apache-2.0
// A constexpr variable initialized from std::numeric_limits in a kernel.
#include <limits>
__global__ void kernel(int* out) {
  constexpr int most = std::numeric_limits<int>::max();
  out[threadIdx.x] = most;
}
