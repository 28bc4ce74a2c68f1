// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 32 --arg out:i32:32 --arg out:i32:1
// | race_global_reset_before_atomic.cu:9:3: race: thread (1, 0, 0) atomically updates count[0], which thread (0, 0, 0) writes in line 8, with nothing to order them: their order is undefined. Let only one thread write there, give each thread its own element, or put a __syncthreads() between line 8 and line 9. Inside a branch use __syncwarp() instead.
// |     9 |   atomicAdd(count, 1);
// |       |   ^
// |       block (0, 0, 0), thread (1, 0, 0)
extern "C" __global__ void k(int* out, int* count) {
  if (threadIdx.x == 0) *count = 0;
  atomicAdd(count, 1);
  __syncthreads();
  out[threadIdx.x] = *count;
}
