// SPDX-License-Identifier: Apache-2.0
// Indices, sizes and ranks of blocks and threads in two-dimensional clusters.
// launch: --kernel place --grid 4,6,2 --block 4,2 --arg out:i32:1536
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 3, 1) place(int* out) {
  __shared__ int mine;
  auto cluster = cg::this_cluster();
  auto grid = cg::this_grid();
  const dim3 at = cluster.block_index();
  const dim3 blocks = cluster.dim_blocks();
  const dim3 threads = cluster.dim_threads();
  const dim3 thread = cluster.thread_index();
  if (threadIdx.x == 0 && threadIdx.y == 0) mine = 100 * at.y + 10 * at.x + at.z;
  cluster.sync();
  const unsigned other = (cluster.block_rank() * 5 + 1) % cluster.num_blocks();
  const int there = *cluster.map_shared_rank(&mine, other);
  const unsigned linear = grid.thread_rank();
  out[linear * 4] = there + 1000 * cluster.block_rank();
  out[linear * 4 + 1] = blocks.x + 10 * blocks.y + 100 * blocks.z + 1000 * cluster.num_blocks();
  out[linear * 4 + 2] = threads.x + 100 * threads.y + 10000 * threads.z + 100000 * thread.x;
  out[linear * 4 + 3] = cluster.thread_rank() + 1000 * cluster.num_threads() + 1000000 * thread.y;
  cluster.sync();
}
