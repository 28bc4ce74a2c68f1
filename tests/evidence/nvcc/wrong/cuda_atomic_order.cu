// SPDX-License-Identifier: Apache-2.0
// A memory order that does not exist.
#include <cuda/atomic>
__global__ void kernel(int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> ref(*out);
  ref.fetch_add(1, cuda::memory_order_weak);
}
