// SPDX-License-Identifier: Apache-2.0
// launch: --grid 4 --block 32 --arg out:i32:1
// | race_last_block_without_fence.cu:15:5: race: thread (0, 0, 0) reads bytes 4 to 7 of partial, which thread (0, 0, 0) of block (1, 0, 0) writes in line 11, with nothing to order them: their order is undefined. A flag, a counter or a lock orders accesses to other words only with fences. Put a __threadfence() between line 11 and the access that sets the flag, and one between the access that reads the flag and line 15. __threadfence_block() orders only threads of one block. This happened 3 times.
// |    15 |     for (int b = 0; b < gridDim.x; ++b) sum += static_cast<volatile int*>(partial)[b];
// |       |     ^
// |       block (0, 0, 0), thread (0, 0, 0)
__device__ int partial[4];
__device__ unsigned done;
extern "C" __global__ void k(int* out) {
  if (threadIdx.x != 0) return;
  partial[blockIdx.x] = blockIdx.x + 1;
  // missing __threadfence()
  if (atomicAdd(&done, 1) == gridDim.x - 1) {
    int sum = 0;
    for (int b = 0; b < gridDim.x; ++b) sum += static_cast<volatile int*>(partial)[b];
    *out = sum;
  }
}
