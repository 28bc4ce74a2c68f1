// SPDX-License-Identifier: Apache-2.0
// cg::reduce without its header.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void kernel(int* out) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  out[threadIdx.x] = cg::reduce(tile, int(threadIdx.x), cg::plus<int>());
}
