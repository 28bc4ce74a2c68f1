// SPDX-License-Identifier: Apache-2.0
// launch: --grid 2 --block 32 --arg out:i32:64
// | cluster_ends_too_early.cu:15:3: race: thread (0, 0, 0) reads value[0] of the block of rank 0, and that block may have ended by then. A block's shared memory is gone when its threads have returned, and a GPU then stops the kernel. After the last such access, let every thread of the cluster reach a cluster.sync() before it returns. This happened 32 times.
// |    15 |   out[threadIdx.x] = cluster.map_shared_rank(value, 0)[threadIdx.x];
// |       |   ^
// |       block (1, 0, 0), thread (0, 0, 0)
#include <cooperative_groups.h>

extern "C" __global__ void __cluster_dims__(2, 1, 1) k(int* out) {
  __shared__ int value[32];
  const auto cluster = cooperative_groups::this_cluster();
  value[threadIdx.x] = 3 * threadIdx.x;
  cluster.sync();
  if (cluster.block_rank() == 0) return;
  out[threadIdx.x] = cluster.map_shared_rank(value, 0)[threadIdx.x];
}
