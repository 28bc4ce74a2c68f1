// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 64 --arg out:i32:64
// | race_read_beside_compare_and_swap.cu:19:5: race: thread (32, 0, 0) reads bytes 0 to 3 of count, which thread (0, 0, 0) atomically updates in line 15, with no barrier in between: their order is undefined. Put a __syncthreads() between line 15 and line 19. A lock or a flag orders them only after a __threadfence_block(). This happened 32 times.
// |    19 |     out[threadIdx.x] = 2 * count;  // some number on the way
// |       |     ^
// |       block (0, 0, 0), thread (32, 0, 0)
extern "C" __global__ void k(int* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    int old = count, assumed;
    do {
      assumed = old;
      old = atomicCAS(&count, assumed, assumed + 1);
    } while (old != assumed);
  } else {
    __syncwarp();  // keeps the compiler from sharing one load between the branches
    out[threadIdx.x] = 2 * count;  // some number on the way
  }
}
