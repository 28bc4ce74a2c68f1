// SPDX-License-Identifier: Apache-2.0
// A scope that does not exist.
#include <cuda/atomic>
__global__ void kernel(int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_warp> ref(*out);
  ref.fetch_add(1);
}
