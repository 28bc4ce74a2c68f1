// SPDX-License-Identifier: Apache-2.0
// A comparison object of the host's library.
#include <functional>
__global__ void kernel(int* out) {
  std::less<int> less;
  out[threadIdx.x] = less(out[threadIdx.x], 3);
}
