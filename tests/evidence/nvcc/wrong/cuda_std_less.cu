// SPDX-License-Identifier: Apache-2.0
// The host library's std::less.
#include <functional>
__global__ void kernel(int* out) {
  std::less<int> less;
  out[threadIdx.x] = less(out[threadIdx.x], 3);
}
