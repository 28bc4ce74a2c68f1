// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 64 --arg out:i32:64 --arg in:i32:64:iota
// | race_global_between_threads.cu:14:3: race: thread (1, 0, 0) reads out[0], which thread (0, 0, 0) writes in line 13, with nothing to order them: their order is undefined. Both threads are in one warp, whose lanes need not run in lockstep. Put a __syncwarp() between line 13 and line 14. This happened 62 times.
// |    14 |   if (i > 0) out[i] += out[i - 1];
// |       |   ^
// |       block (0, 0, 0), thread (1, 0, 0)
// | race_global_between_threads.cu:14:3: race: thread (32, 0, 0) reads out[31], which thread (31, 0, 0) writes in the same line, with nothing to order them: their order is undefined. Read into a variable, call __syncthreads(), then store. This happened 62 times.
// |    14 |   if (i > 0) out[i] += out[i - 1];
// |       |   ^
// |       block (0, 0, 0), thread (32, 0, 0)
extern "C" __global__ void k(int* out, const int* in) {
  const int i = threadIdx.x;
  out[i] = in[i];
  if (i > 0) out[i] += out[i - 1];
}
