// SPDX-License-Identifier: Apache-2.0
// grid.sync() without a grid.
#include <cooperative_groups.h>
__global__ void kernel(int* out) {
  grid.sync();
  out[threadIdx.x] = 1;
}
