// SPDX-License-Identifier: Apache-2.0
// std::string in a kernel.
#include <string>
__global__ void kernel(int* out) {
  std::string s = "warp";
  out[threadIdx.x] = s.size();
}
