// SPDX-License-Identifier: Apache-2.0
// cuda::atomic_ref to a literal.
#include <cuda/atomic>
__global__ void kernel(int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> ref(5);
  out[threadIdx.x] = ref.load();
}
