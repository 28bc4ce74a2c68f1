// SPDX-License-Identifier: Apache-2.0
// std::function in a kernel.
#include <functional>
__global__ void kernel(int* out) {
  std::function<int(int)> f = [](int x) { return x + 1; };
  out[threadIdx.x] = f(threadIdx.x);
}
