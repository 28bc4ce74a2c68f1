// SPDX-License-Identifier: Apache-2.0
// A thread_block initialized with a number.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void kernel(int* out) {
  cg::thread_block block = 0;
  out[threadIdx.x] = block.size();
}
