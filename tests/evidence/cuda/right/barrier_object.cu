// SPDX-License-Identifier: Apache-2.0
// launch: --grid 2 --block 64 --arg out:i32:128
#include <cuda/barrier>
extern "C" __global__ void k(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> met;
  __shared__ int data[64];
  if (threadIdx.x == 0) init(&met, 64);
  __syncthreads();
  for (int step = 0; step < 3; ++step) {
    data[threadIdx.x] = threadIdx.x + step;
    met.arrive_and_wait();
    out[blockIdx.x * 64 + threadIdx.x] = data[63 - threadIdx.x];
    met.arrive_and_wait();
  }
}
