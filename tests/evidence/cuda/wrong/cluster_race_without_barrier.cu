// SPDX-License-Identifier: Apache-2.0
// launch: --grid 2 --block 64 --arg out:i32:128
// | cluster_race_without_barrier.cu:14:3: race: thread (0, 0, 0) writes value[0], which thread (63, 0, 0) of block (1, 0, 0) reads in line 17, with no barrier in between: their order is undefined. Put a cluster.sync() between line 14 and line 17. This happened 128 times.
// |    14 |   value[threadIdx.x] = blockIdx.x + threadIdx.x;
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
#include <cooperative_groups.h>

extern "C" __global__ void __cluster_dims__(2, 1, 1) k(int* out) {
  __shared__ int value[64];
  const auto cluster = cooperative_groups::this_cluster();
  value[threadIdx.x] = 0;
  cluster.sync();
  value[threadIdx.x] = blockIdx.x + threadIdx.x;
  __syncthreads();
  const int* other = cluster.map_shared_rank(value, cluster.block_rank() ^ 1);
  out[blockIdx.x * 64 + threadIdx.x] = other[63 - threadIdx.x];
  cluster.sync();
}
