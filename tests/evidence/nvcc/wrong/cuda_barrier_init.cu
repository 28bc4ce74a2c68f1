// SPDX-License-Identifier: Apache-2.0
// A cuda::barrier in shared memory with an initializer.
#include <cuda/barrier>
__global__ void kernel(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar(32);
  bar.arrive_and_wait();
  out[threadIdx.x] = 1;
}
