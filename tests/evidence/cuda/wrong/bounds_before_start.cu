// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 32 --arg out:f32:32 --arg in:f32:32:iota
// | bounds_before_start.cu:9:3: out_of_bounds: reads in[-1], but in has elements 0 to 31; check the index against the size before the access
// |     9 |   out[i] = in[i] - in[i - 1];
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(float* out, const float* in) {
  const int i = threadIdx.x;
  out[i] = in[i] - in[i - 1];
}
