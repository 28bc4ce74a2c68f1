// SPDX-License-Identifier: Apache-2.0
// #pragma unroll with and without a number.
// launch: --kernel sums --grid 1 --block 32 --arg in:f32:128:iota --arg out:f32:32
__global__ void sums(const float* in, float* out) {
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) sum += in[threadIdx.x + 32 * i];
#pragma unroll 2
  for (int i = 0; i < 6; ++i) sum *= 0.5f;
#pragma unroll 1
  for (int i = 0; i < 3; ++i) sum += i;
  out[threadIdx.x] = sum;
}
