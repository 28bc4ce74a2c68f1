// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 64 --arg out:f32:64 --arg in:f32:64:iota
// | input_written.cu:8:3: input_modified: thread (0, 0, 0) writes in[0], but in is an input that the kernel must not modify. Store to an output parameter or a local variable. This happened 64 times.
// |     8 |   in[threadIdx.x] *= 2;
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(float* out, float* in) {
  in[threadIdx.x] *= 2;
  out[threadIdx.x] = in[threadIdx.x];
}
