// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 256 --arg out:i32:8 --arg in:i32:256:iota
// | race_reset_before_atomic.cu:11:3: race: thread (8, 0, 0) atomically updates bins[0], which thread (0, 0, 0) writes in line 10, with no barrier in between: their order is undefined. Both threads are in one warp, whose lanes need not run in lockstep. Let only one thread write there, give each thread its own element, or put a __syncwarp() between line 10 and line 11. This happened 8 times.
// |    11 |   atomicAdd(&bins[in[i] % 8], 1);
// |       |   ^
// |       block (0, 0, 0), thread (8, 0, 0)
extern "C" __global__ void k(int* out, const int* in) {
  __shared__ int bins[8];
  const int i = threadIdx.x;
  if (i < 8) bins[i] = 0;
  atomicAdd(&bins[in[i] % 8], 1);
  __syncthreads();
  if (i < 8) out[i] = bins[i];
}
