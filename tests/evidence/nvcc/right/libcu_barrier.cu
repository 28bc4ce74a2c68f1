// SPDX-License-Identifier: Apache-2.0
// A block's cuda::barrier with arrive and wait.
// launch: --kernel halves --grid 1 --block 64 --arg in:i32:64:iota --arg out:i32:64
#include <cuda/barrier>
__global__ void halves(const int* in, int* out) {
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> ready;
  __shared__ int values[64];
  if (threadIdx.x == 0) init(&ready, blockDim.x);
  __syncthreads();
  values[threadIdx.x] = in[threadIdx.x] * 5;
  ready.wait(ready.arrive());
  out[threadIdx.x] = values[threadIdx.x ^ 33];
}
