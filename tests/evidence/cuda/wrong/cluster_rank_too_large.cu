// SPDX-License-Identifier: Apache-2.0
// launch: --grid 4 --block 32 --arg out:i32:128
// | cluster_rank_too_large.cu:15:3: out_of_bounds: reads 4 bytes, in the shared memory of the block of rank 4, but the cluster has 4 blocks, whose ranks begin at 0; check the rank against num_blocks() of the cluster
// |    15 |   out[blockIdx.x * 32 + threadIdx.x] = cluster.map_shared_rank(value, next)[threadIdx.x];
// |       |   ^
// |       block (3, 0, 0), thread (0, 0, 0)
#include <cooperative_groups.h>

extern "C" __global__ void __cluster_dims__(4, 1, 1) k(int* out) {
  __shared__ int value[32];
  const auto cluster = cooperative_groups::this_cluster();
  value[threadIdx.x] = threadIdx.x;
  cluster.sync();
  const unsigned next = cluster.block_rank() + 1;
  out[blockIdx.x * 32 + threadIdx.x] = cluster.map_shared_rank(value, next)[threadIdx.x];
  cluster.sync();
}
