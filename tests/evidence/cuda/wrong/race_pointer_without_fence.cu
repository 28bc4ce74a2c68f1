// SPDX-License-Identifier: Apache-2.0
// launch: --grid 2 --block 32 --cooperative --arg out:i32:1
// | race_pointer_without_fence.cu:18:5: race: thread (0, 0, 0) reads bytes 8 to 11 of value, which thread (0, 0, 0) of block (0, 0, 0) writes in line 12, with nothing to order them: their order is undefined. A flag, a counter or a lock orders accesses to other words only with fences. Put a __threadfence() between line 12 and the access that sets the flag, and one between the access that reads the flag and line 18. __threadfence_block() orders only threads of one block.
// |    18 |     *out = v[at];
// |       |     ^
// |       block (1, 0, 0), thread (0, 0, 0)
__device__ int head, value[4];
extern "C" __global__ void k(int* out) {
  if (threadIdx.x != 0) return;
  volatile int* v = value;
  if (blockIdx.x == 0) {
    v[2] = 9;
    atomicExch(&head, 2);  // missing __threadfence() before
  } else {
    int at;
    while ((at = atomicAdd(&head, 0)) == 0) {
    }
    *out = v[at];
  }
}
