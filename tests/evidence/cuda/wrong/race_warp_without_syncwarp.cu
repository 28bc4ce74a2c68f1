// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 32 --arg out:f32:1 --arg in:f32:32:iota
// | race_warp_without_syncwarp.cu:15:3: race: thread (0, 0, 0) reads sum[16], which thread (16, 0, 0) writes in line 14, with no barrier in between: their order is undefined. Put a __syncthreads() between line 14 and line 15. Inside a branch use __syncwarp() instead. This happened 16 times.
// |    15 |   if (i < 16) sum[i] += sum[i + 16];  // as before Volta
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
// | race_warp_without_syncwarp.cu:16:3: race: thread (0, 0, 0) reads sum[8], which thread (8, 0, 0) writes in line 15, with no barrier in between: their order is undefined. Put a __syncthreads() between line 15 and line 16. Inside a branch use __syncwarp() instead. This happened 8 times.
// |    16 |   if (i < 8) sum[i] += sum[i + 8];
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(float* out, const float* in) {
  __shared__ volatile float sum[32];
  const int i = threadIdx.x;
  sum[i] = in[i];
  if (i < 16) sum[i] += sum[i + 16];  // as before Volta
  if (i < 8) sum[i] += sum[i + 8];
  if (i == 0) out[0] = sum[0];
}
