// SPDX-License-Identifier: Apache-2.0
// cuda::atomic_ref over plain memory.
// launch: --kernel counts --grid 4 --block 64 --arg inout:i32:4:zeros
#include <cuda/atomic>
__global__ void counts(int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> total(out[0]);
  total.fetch_add(2, cuda::memory_order_relaxed);
  cuda::atomic_ref<int, cuda::thread_scope_device> largest(out[1]);
  largest.fetch_max(static_cast<int>(blockIdx.x * 64 + threadIdx.x), cuda::memory_order_relaxed);
}
