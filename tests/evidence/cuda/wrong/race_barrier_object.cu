// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 64 --arg out:i32:64
// | race_barrier_object.cu:17:3: race: thread (32, 0, 0) writes data[32], which thread (31, 0, 0) reads in line 19, with no barrier in between: their order is undefined. Put a __syncthreads() between line 17 and line 19. This happened 64 times.
// |    17 |   data[threadIdx.x] = threadIdx.x;
// |       |   ^
// |       block (0, 0, 0), thread (32, 0, 0)
// | race_barrier_object.cu:19:3: uninitialized_read: thread (0, 0, 0) reads data[63], which no thread of the block has written yet. Shared memory is not zero-initialized: store to it first, with a __syncthreads() in between if another thread stores. This happened 32 times.
// |    19 |   out[threadIdx.x] = data[63 - threadIdx.x];  // should wait first
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
#include <cuda/barrier>
extern "C" __global__ void k(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> met;
  __shared__ int data[64];
  if (threadIdx.x == 0) init(&met, 64);
  __syncthreads();
  data[threadIdx.x] = threadIdx.x;
  auto token = met.arrive();
  out[threadIdx.x] = data[63 - threadIdx.x];  // should wait first
  met.wait(std::move(token));
}
