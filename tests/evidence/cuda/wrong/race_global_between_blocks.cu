// SPDX-License-Identifier: Apache-2.0
// launch: --grid 4 --block 32 --arg out:f32:1 --arg in:f32:128:iota
// | race_global_between_blocks.cu:9:3: race: thread (0, 0, 0) reads out[0], which thread (0, 0, 0) of block (3, 0, 0) writes in the same line, with nothing that orders the two: which comes first is left to chance. Blocks run in any order and at the same time: let one block do both, make two kernels of it, or hand the value over behind a __threadfence() with an atomic. This happened 3 times.
// |     9 |   if (threadIdx.x == 0) *out += value;  // each block
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(float* out, const float* in) {
  const float value = in[blockIdx.x * 32 + threadIdx.x];
  if (threadIdx.x == 0) *out += value;  // each block
}
