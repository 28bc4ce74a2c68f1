// SPDX-License-Identifier: Apache-2.0
// binary_partition splits a warp by a predicate.
// launch: --kernel halves --grid 1 --block 32 --arg in:i32:32:iota --arg out:i32:32
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void halves(const int* in, int* out) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  auto group = cg::binary_partition(warp, in[threadIdx.x] % 4 == 0);
  out[threadIdx.x] = group.size() * 100 + group.thread_rank();
}
