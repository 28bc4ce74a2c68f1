// SPDX-License-Identifier: Apache-2.0
// cg::reduce over tiles of eight lanes.
// launch: --kernel sums --grid 2 --block 64 --arg in:i32:128:iota --arg out:i32:16
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void sums(const int* in, int* out) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int sum = cg::reduce(tile, in[i], cg::plus<int>());
  if (tile.thread_rank() == 0) out[i / 8] = sum;
}
