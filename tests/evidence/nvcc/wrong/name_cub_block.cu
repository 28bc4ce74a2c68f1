// SPDX-License-Identifier: Apache-2.0
// cub::BlockSum does not exist.
#include <cub/block/block_reduce.cuh>
__global__ void kernel(int* out) {
  typedef cub::BlockSum<int, 32> Sum;
  __shared__ typename Sum::TempStorage room;
  out[threadIdx.x] = Sum(room).Sum(threadIdx.x);
}
