// SPDX-License-Identifier: Apache-2.0
// A prefix sum over the grid: block totals, a barrier, and the totals of earlier blocks.
// launch: --kernel scan --grid 8 --block 128 --cooperative --arg in:i32:1024:iota --arg out:i32:8 --arg out:i32:1024
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void scan(const int* in, int* sums, int* out) {
  __shared__ int warps[4];
  auto grid = cg::this_grid();
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  const int value = in[grid.thread_rank()];
  int sum = cg::inclusive_scan(warp, value);
  if (warp.thread_rank() == 31) warps[warp.meta_group_rank()] = sum;
  block.sync();
  for (int w = 0; w < static_cast<int>(warp.meta_group_rank()); ++w) sum += warps[w];
  if (block.thread_rank() == 127) sums[blockIdx.x] = sum;
  grid.sync();
  for (int b = 0; b < blockIdx.x; ++b) sum += sums[b];
  out[grid.thread_rank()] = sum;
}
