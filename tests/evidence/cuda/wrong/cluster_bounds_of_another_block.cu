// SPDX-License-Identifier: Apache-2.0
// launch: --grid 2 --block 32 --arg out:i32:64
// | cluster_bounds_of_another_block.cu:15:3: out_of_bounds: reads tile[32] of the block of rank 0, but tile has elements 0 to 31; check the index against the size before the access
// |    15 |   out[blockIdx.x * 32 + threadIdx.x] = other[threadIdx.x + 1];
// |       |   ^
// |       block (1, 0, 0), thread (31, 0, 0)
#include <cooperative_groups.h>

extern "C" __global__ void __cluster_dims__(2, 1, 1) k(int* out) {
  __shared__ int tile[32];
  const auto cluster = cooperative_groups::this_cluster();
  tile[threadIdx.x] = threadIdx.x;
  cluster.sync();
  const int* other = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1);
  out[blockIdx.x * 32 + threadIdx.x] = other[threadIdx.x + 1];
  cluster.sync();
}
