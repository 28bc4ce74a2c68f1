// SPDX-License-Identifier: Apache-2.0
// Inclusive and exclusive scans of a tile.
// launch: --kernel scans --grid 1 --block 32 --arg in:i32:32:iota --arg out:i32:64
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
__global__ void scans(const int* in, int* out) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  out[threadIdx.x] = cg::inclusive_scan(tile, in[threadIdx.x]);
  out[32 + threadIdx.x] = cg::exclusive_scan(tile, in[threadIdx.x]);
}
