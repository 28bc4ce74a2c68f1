// SPDX-License-Identifier: Apache-2.0
// Idle blocks and threads of a cluster return before its barriers.
// launch: --kernel some --grid 4 --block 64 --arg inout:i32:64:zeros
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(4, 1, 1) some(int* out) {
  __shared__ int value[32];
  auto cluster = cg::this_cluster();
  if (cluster.block_rank() >= 2 || threadIdx.x >= 32) return;
  value[threadIdx.x] = threadIdx.x * (cluster.block_rank() + 1);
  cluster.sync();
  out[blockIdx.x * 32 + threadIdx.x] =
      cluster.map_shared_rank(value, cluster.block_rank() ^ 1)[31 - threadIdx.x];
  cluster.sync();
}
