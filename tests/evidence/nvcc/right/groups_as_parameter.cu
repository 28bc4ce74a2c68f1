// SPDX-License-Identifier: Apache-2.0
// A device function that accepts any group.
// launch: --kernel sums --grid 1 --block 64 --arg in:i32:64:iota --arg out:i32:64
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
template <typename Group>
__device__ int sum(Group group, int* scratch, int value) {
  const int rank = group.thread_rank();
  for (int i = group.size() / 2; i > 0; i /= 2) {
    scratch[rank] = value;
    group.sync();
    if (rank < i) value += scratch[rank + i];
    group.sync();
  }
  return value;
}
__global__ void sums(const int* in, int* out) {
  __shared__ int scratch[64];
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  const int ofBlock = sum(block, scratch, in[threadIdx.x]);
  block.sync();
  const int ofTile = sum(tile, scratch + threadIdx.x / 32 * 32, in[threadIdx.x]);
  out[threadIdx.x] = threadIdx.x == 0 ? ofBlock : tile.thread_rank() == 0 ? ofTile : -1;
}
