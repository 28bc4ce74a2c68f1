// SPDX-License-Identifier: Apache-2.0
// cg::sync() without a group.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void kernel(int* out) {
  cg::thread_block block = cg::this_thread_block();
  cg::sync();
  out[threadIdx.x] = block.thread_rank();
}
