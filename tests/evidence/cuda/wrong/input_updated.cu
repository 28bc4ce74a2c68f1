// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 64 --arg out:i32:64 --arg in:i32:64:iota
// | input_updated.cu:8:3: input_modified: thread (0, 0, 0) atomically updates in[0], but in is an input that the kernel must not modify. Store to an output parameter or a local variable. This happened 64 times.
// |     8 |   out[threadIdx.x] = atomicExch(&in[threadIdx.x], 0);
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(int* out, int* in) {
  out[threadIdx.x] = atomicExch(&in[threadIdx.x], 0);
}
