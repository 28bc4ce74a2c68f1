// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 32 --arg out:i32:32
// | race_shuffle_is_no_barrier.cu:12:3: race: thread (0, 0, 0) reads tile[31], which thread (31, 0, 0) writes in line 10, with no barrier in between: their order is undefined. Put a __syncthreads() between line 10 and line 12. Inside a branch use __syncwarp() instead. This happened 32 times.
// |    12 |   out[i] = tile[31 - i] + first;
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(int* out) {
  __shared__ int tile[32];
  const int i = threadIdx.x;
  tile[i] = i;
  const int first = __shfl_sync(~0u, i, 0);
  out[i] = tile[31 - i] + first;
}
