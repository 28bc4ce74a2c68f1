// SPDX-License-Identifier: Apache-2.0
// launch: --grid 4 --block 32 --arg out:f32:1 --arg in:f32:128:iota
// | race_global_between_blocks.cu:9:3: race: thread (0, 0, 0) reads out[0], which thread (0, 0, 0) of block (3, 0, 0) writes in the same line, with nothing to order them: their order is undefined. This is a lost update: line 9 reads the word and writes it in a second step, and another thread may write it in between. Do it in one step: atomicAdd(). This happened 3 times.
// |     9 |   if (threadIdx.x == 0) *out += value;  // each block
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(float* out, const float* in) {
  const float value = in[blockIdx.x * 32 + threadIdx.x];
  if (threadIdx.x == 0) *out += value;  // each block
}
