// SPDX-License-Identifier: Apache-2.0
// std::cout in a kernel.
#include <iostream>
__global__ void kernel(int* out) {
  std::cout << "hello\n";
  out[threadIdx.x] = 1;
}
