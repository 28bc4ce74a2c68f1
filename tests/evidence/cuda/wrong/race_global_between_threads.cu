// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 64 --arg out:i32:64 --arg in:i32:64:iota
// | race_global_between_threads.cu:14:3: race: thread (1, 0, 0) reads out[0], which thread (0, 0, 0) writes in line 13, with nothing that orders the two: which comes first is left to chance. Put a __syncthreads() between line 13 and line 14. This happened 62 times.
// |    14 |   if (i > 0) out[i] += out[i - 1];
// |       |   ^
// |       block (0, 0, 0), thread (1, 0, 0)
// | race_global_between_threads.cu:14:3: race: thread (2, 0, 0) writes out[2], which thread (3, 0, 0) reads in the same line, with nothing that orders the two: which comes first is left to chance. Put a __syncthreads() between two passes through line 14. This happened 61 times.
// |    14 |   if (i > 0) out[i] += out[i - 1];
// |       |   ^
// |       block (0, 0, 0), thread (2, 0, 0)
extern "C" __global__ void k(int* out, const int* in) {
  const int i = threadIdx.x;
  out[i] = in[i];
  if (i > 0) out[i] += out[i - 1];
}
