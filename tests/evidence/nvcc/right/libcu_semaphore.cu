// SPDX-License-Identifier: Apache-2.0
// A binary semaphore guards a sum.
// launch: --kernel sums --grid 1 --block 128 --arg out:i32:1
#include <cuda/semaphore>
__global__ void sums(int* out) {
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::binary_semaphore<cuda::thread_scope_block> one;
  __shared__ int total;
  if (threadIdx.x == 0) {
    new (&one) cuda::binary_semaphore<cuda::thread_scope_block>(1);
    total = 0;
  }
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    one.acquire();
    total += threadIdx.x;
    one.release();
  }
  __syncthreads();
  if (threadIdx.x == 0) *out = total;
}
