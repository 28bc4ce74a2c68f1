// SPDX-License-Identifier: Apache-2.0
// Two blocks pass a value back and forth with libcu++ acquire and release.
// launch: --kernel play --grid 2 --block 32 --cooperative --arg inout:i32:1:zeros --arg inout:i32:32:iota
#include <cuda/atomic>
__global__ void play(int* turn, int* data) {
  cuda::atomic_ref<int, cuda::thread_scope_device> whose(*turn);
  for (int i = 0; i < 10; ++i) {
    if (threadIdx.x == 0) {
      while (whose.load(cuda::memory_order_acquire) != 2 * i + blockIdx.x) {
      }
    }
    __syncthreads();
    data[threadIdx.x] = data[threadIdx.x] * 3 + static_cast<int>(blockIdx.x) + i;
    __syncthreads();
    if (threadIdx.x == 0) whose.store(2 * i + blockIdx.x + 1, cuda::memory_order_release);
  }
}
