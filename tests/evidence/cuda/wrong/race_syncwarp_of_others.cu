// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 32 --arg out:f32:32 --arg in:f32:32:iota
// | race_syncwarp_of_others.cu:12:3: race: thread (0, 0, 0) reads tile[31], which thread (31, 0, 0) writes in line 10, with no barrier in between: their order is undefined. Put a __syncthreads() between line 10 and line 12. Inside a branch use __syncwarp() instead. This happened 32 times.
// |    12 |   out[i] = tile[31 - i];
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(float* out, const float* in) {
  __shared__ float tile[32];
  const int i = threadIdx.x;
  tile[i] = in[i];
  __syncwarp(i < 16 ? 0x0000ffffu : 0xffff0000u);  // each half-warp syncs by itself
  out[i] = tile[31 - i];
}
