// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 256 --arg out:f32:1 --arg in:f32:256:iota
// | race_reduction_in_a_loop.cu:13:5: race: thread (32, 0, 0) writes sum[32], which thread (0, 0, 0) reads in the same line, with no barrier in between: their order is undefined. Put a __syncthreads() between two iterations of line 13. If one iteration does both: read into a variable, call __syncthreads(), then store. This happened 127 times.
// |    13 |     if (i < half) sum[i] += sum[i + half];
// |       |     ^
// |       block (0, 0, 0), thread (32, 0, 0)
extern "C" __global__ void k(float* out, const float* in) {
  __shared__ float sum[256];
  const int i = threadIdx.x;
  sum[i] = in[i];
  __syncthreads();
  for (int half = 128; half > 0; half /= 2)
    if (i < half) sum[i] += sum[i + half];
  if (i == 0) out[0] = sum[0];
}
