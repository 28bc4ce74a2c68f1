// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 32 --arg out:i32:32
// | uninitialized_output_is_read.cu:8:3: uninitialized_read: thread (0, 0, 0) reads out[0] before the kernel has written it. out does not start as zeros: store to an element before reading it, or add up in a variable of the thread. This happened 32 times.
// |     8 |   out[threadIdx.x] += threadIdx.x;
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(int* out) {
  out[threadIdx.x] += threadIdx.x;
}
