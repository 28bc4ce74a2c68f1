// SPDX-License-Identifier: Apache-2.0
// A function object of the host's library.
#include <functional>
template <typename F>
__device__ int applied(F f, int x) {
  return f(x, 1);
}
__global__ void kernel(int* out) { out[threadIdx.x] = applied(std::plus<int>(), threadIdx.x); }
