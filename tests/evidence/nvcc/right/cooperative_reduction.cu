// SPDX-License-Identifier: Apache-2.0
// Partial sums of all blocks, added up by the first block in the same launch.
// launch: --kernel total --grid 5,2 --block 16,8 --cooperative --arg in:i32:5000:iota --arg out:i32:10 --arg out:i32:1 --arg i32:5000
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void total(const int* in, int* partial, int* out, int n) {
  __shared__ int sums[128];
  auto grid = cg::this_grid();
  auto block = cg::this_thread_block();
  int sum = 0;
  for (int i = grid.thread_rank(); i < n; i += grid.size()) sum += in[i];
  sums[block.thread_rank()] = sum;
  block.sync();
  for (int half = 64; half > 0; half /= 2) {
    if (block.thread_rank() < half) sums[block.thread_rank()] += sums[block.thread_rank() + half];
    block.sync();
  }
  if (block.thread_rank() == 0) partial[grid.block_rank()] = sums[0];
  grid.sync();
  if (grid.thread_rank() == 0) {
    int all = 0;
    for (int b = 0; b < grid.num_blocks(); ++b) all += partial[b];
    *out = all;
  }
}
