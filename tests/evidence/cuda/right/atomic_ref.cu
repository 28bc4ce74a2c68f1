// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 128 --arg out:i32:1
#include <cuda/atomic>
extern "C" __global__ void k(int* out) {
  __shared__ int lock, count;
  if (threadIdx.x == 0) lock = count = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    cuda::atomic_ref<int, cuda::thread_scope_block> held(lock);
    while (held.exchange(1, cuda::memory_order_acquire) != 0) {
    }
    ++count;
    held.store(0, cuda::memory_order_release);
  }
  __syncthreads();
  if (threadIdx.x == 0) out[0] = count;
}
