// SPDX-License-Identifier: Apache-2.0
// A header that does not exist.
#include <cooperative_group.h>
namespace cg = cooperative_groups;
__global__ void kernel(int* out) {
  cg::thread_block block = cg::this_thread_block();
  out[threadIdx.x] = block.size();
}
