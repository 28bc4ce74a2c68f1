// SPDX-License-Identifier: Apache-2.0
// The free function sync() in a function that accepts any group.
// launch: --kernel all_sizes --grid 3 --block 96 --cooperative --arg inout:i32:288:iota --arg out:i32:288
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
template <typename Group>
__device__ void reverse(const Group& group, int* data, int* out) {
  cg::sync(group);
  const int i = static_cast<int>(group.thread_rank());
  out[i] = data[group.size() - 1 - i];
  cg::sync(group);
  data[i] = out[i] + 1;
}
__global__ void all_sizes(int* data, int* out) {
  auto grid = cg::this_grid();
  auto block = cg::this_thread_block();
  reverse(grid, data, out);
  cg::sync(grid);
  reverse(block, data + block.group_index().x * 96, out + block.group_index().x * 96);
}
