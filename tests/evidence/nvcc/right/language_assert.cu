// SPDX-License-Identifier: Apache-2.0
// assert() of a true condition.
// launch: --kernel checked --grid 1 --block 32 --arg out:i32:32
#include <cassert>
__global__ void checked(int* out) {
  assert(threadIdx.x < blockDim.x);
  out[threadIdx.x] = blockDim.x - threadIdx.x;
}
