// SPDX-License-Identifier: Apache-2.0
// The host library's std::plus.
#include <functional>
template <typename F>
__device__ int applied(F f, int x) {
  return f(x, 1);
}
__global__ void kernel(int* out) { out[threadIdx.x] = applied(std::plus<int>(), threadIdx.x); }
