// SPDX-License-Identifier: Apache-2.0
// cuda::barrier over a block: arrive, wait, twice.
// launch: grid 4 block 64
#include <cuda/barrier>

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ unsigned data[64];
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  data[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
  barrier.arrive_and_wait();
  const unsigned v = data[63 - threadIdx.x];
  auto token = barrier.arrive();
  barrier.wait(std::move(token));
  data[threadIdx.x] = v * 2;
  barrier.arrive_and_wait();
  out[blockIdx.x * 64 + threadIdx.x] = data[(threadIdx.x + 1) % 64];
}
