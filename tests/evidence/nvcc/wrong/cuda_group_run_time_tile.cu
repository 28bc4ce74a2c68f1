// SPDX-License-Identifier: Apache-2.0
// A run-time tile size as a template argument.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void kernel(int* out, int n) {
  auto tile = cg::tiled_partition<n>(cg::this_thread_block());
  out[threadIdx.x] = tile.thread_rank();
}
