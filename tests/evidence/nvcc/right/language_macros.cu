// SPDX-License-Identifier: Apache-2.0
// Function-like macros, stringizing and token pasting.
// launch: --kernel squares --grid 1 --block 32 --arg out:i32:32
#define MAKE_SQUARE(type) \
  __device__ type square_##type(type x) { return x * x; }
#define LENGTH(x) (sizeof(#x) - 1)
MAKE_SQUARE(int)
MAKE_SQUARE(short)
__global__ void squares(int* out) { out[threadIdx.x] = square_int(threadIdx.x) + square_short(3) + LENGTH(four); }
