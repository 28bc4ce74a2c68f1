// SPDX-License-Identifier: Apache-2.0
// Three phases with as many blocks as four per SM on 132 SMs.
// launch: --kernel many --grid 528 --block 128 --cooperative --arg out:i32:528 --arg out:i32:528 --arg out:i32:1
#include <cooperative_groups.h>
__global__ void many(int* a, int* b, int* sum) {
  auto grid = cooperative_groups::this_grid();
  if (threadIdx.x == 0) a[blockIdx.x] = 3 * blockIdx.x + 1;
  if (grid.thread_rank() == 0) *sum = 0;
  grid.sync();
  if (threadIdx.x == 0) b[blockIdx.x] = a[(blockIdx.x * 5 + 17) % gridDim.x];
  grid.sync();
  if (threadIdx.x < 4) atomicAdd(sum, b[(blockIdx.x + threadIdx.x * 100) % gridDim.x]);
}
