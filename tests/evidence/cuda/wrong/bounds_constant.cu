// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 32 --arg out:f32:32 --arg i32:8
// | bounds_constant.cu:10:3: out_of_bounds: reads weights[4], but weights has elements 0 to 3; check the index against the size before the access
// |    10 |   for (int t = 0; t < taps; ++t) sum += weights[t];
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
__constant__ float weights[4] = {1, 2, 3, 4};
extern "C" __global__ void k(float* out, int taps) {
  float sum = 0;
  for (int t = 0; t < taps; ++t) sum += weights[t];
  out[threadIdx.x] = sum;
}
