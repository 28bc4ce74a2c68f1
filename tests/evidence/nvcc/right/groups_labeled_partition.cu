// SPDX-License-Identifier: Apache-2.0
// labeled_partition groups the lanes with equal labels.
// launch: --kernel labels --grid 1 --block 32 --arg in:i32:32:iota --arg out:i32:32
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void labels(const int* in, int* out) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  auto group = cg::labeled_partition(warp, in[threadIdx.x] % 5);
  out[threadIdx.x] = group.size() * 100 + group.thread_rank();
}
