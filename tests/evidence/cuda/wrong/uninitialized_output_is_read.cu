// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 32 --arg out:i32:32
// | uninitialized_output_is_read.cu:8:3: uninitialized_read: thread (0, 0, 0) reads out[0] before the kernel has written it. out is not zero-initialized: store to an element before reading it, or sum in a local variable. This happened 32 times.
// |     8 |   out[threadIdx.x] += threadIdx.x;
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(int* out) {
  out[threadIdx.x] += threadIdx.x;
}
