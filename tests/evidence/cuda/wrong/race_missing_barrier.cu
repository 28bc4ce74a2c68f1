// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 64 --arg out:f32:64 --arg in:f32:64:iota
// | race_missing_barrier.cu:13:3: race: thread (32, 0, 0) writes tile[32], which thread (31, 0, 0) reads in line 14, with no barrier in between: their order is undefined. Put a __syncthreads() between line 13 and line 14. This happened 64 times.
// |    13 |   tile[threadIdx.x] = in[threadIdx.x];
// |       |   ^
// |       block (0, 0, 0), thread (32, 0, 0)
// | race_missing_barrier.cu:14:3: uninitialized_read: thread (0, 0, 0) reads tile[63], which no thread of the block has written yet. Shared memory is not zero-initialized: store to it first, with a __syncthreads() in between if another thread stores. This happened 32 times.
// |    14 |   out[threadIdx.x] = tile[63 - threadIdx.x];
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(float* out, const float* in) {
  __shared__ float tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = tile[63 - threadIdx.x];
}
