// SPDX-License-Identifier: Apache-2.0
// launch: --grid 4 --block 64 --arg out:i32:256
// | race_last_block_without_barrier.cu:18:5: race: thread (0, 0, 0) reads bytes 1020 to 1023 of values, which thread (63, 0, 0) of block (3, 0, 0) writes in line 11, with nothing to order them: their order is undefined. Blocks run concurrently and in any order: let one block do both, split the kernel in two, or publish the value with __threadfence() and an atomic. This happened 189 times.
// |    18 |     for (int i = threadIdx.x; i < 256; i += 64) out[i] = values[255 - i];
// |       |     ^
// |       block (0, 0, 0), thread (0, 0, 0)
__device__ int values[256];
__device__ unsigned done;
extern "C" __global__ void k(int* out) {
  __shared__ bool is_last;
  values[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 0) {  // no __syncthreads() before: others may not have written yet
    __threadfence();
    is_last = atomicAdd(&done, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last)
    for (int i = threadIdx.x; i < 256; i += 64) out[i] = values[255 - i];
}
