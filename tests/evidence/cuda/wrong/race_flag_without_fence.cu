// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 64 --arg out:i32:32
// | race_flag_without_fence.cu:19:5: race: thread (32, 0, 0) reads data[0], which thread (0, 0, 0) writes in line 13, with no barrier in between: their order is undefined. A flag, a counter or a lock orders accesses to other words only with fences. Put a __threadfence_block() between line 13 and the access that sets the flag, and one between the access that reads the flag and line 19. This happened 32 times.
// |    19 |     out[lane] = data[lane];
// |       |     ^
// |       block (0, 0, 0), thread (32, 0, 0)
extern "C" __global__ void k(int* out) {
  __shared__ int data[32], ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    data[lane] = lane;
    __syncwarp();
    if (lane == 0) atomicExch(&ready, 1);
  } else {
    while (atomicAdd(&ready, 0) == 0) {
    }
    out[lane] = data[lane];
  }
}
