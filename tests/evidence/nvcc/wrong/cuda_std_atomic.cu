// SPDX-License-Identifier: Apache-2.0
// std::atomic in a kernel.
#include <atomic>
__global__ void kernel(int* out) {
  std::atomic<int> a(0);
  a.fetch_add(1);
  out[threadIdx.x] = a.load();
}
