// SPDX-License-Identifier: Apache-2.0
// A tile of 24 threads.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void kernel(int* out) {
  auto tile = cg::tiled_partition<24>(cg::this_thread_block());
  out[threadIdx.x] = tile.thread_rank();
}
