// SPDX-License-Identifier: Apache-2.0
// A shuffle of a thread_block.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void kernel(int* out) {
  cg::thread_block block = cg::this_thread_block();
  out[threadIdx.x] = block.shfl(int(threadIdx.x), 0);
}
