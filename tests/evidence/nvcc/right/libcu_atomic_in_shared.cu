// SPDX-License-Identifier: Apache-2.0
// cuda::atomic in shared memory.
// launch: --kernel counts --grid 2 --block 64 --arg out:i32:2
#include <cuda/atomic>
#pragma nv_diag_suppress static_var_with_dynamic_init
__global__ void counts(int* out) {
  __shared__ cuda::atomic<int, cuda::thread_scope_block> total;
  if (threadIdx.x == 0) total.store(blockIdx.x, cuda::memory_order_relaxed);
  __syncthreads();
  total.fetch_add(threadIdx.x, cuda::memory_order_relaxed);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = total.load();
}
