// SPDX-License-Identifier: Apache-2.0
// std::swap in a kernel.
#include <utility>
__global__ void kernel(int* out) {
  int a = threadIdx.x, b = 3;
  std::swap(a, b);
  out[threadIdx.x] = a * 10 + b;
}
