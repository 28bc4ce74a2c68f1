// SPDX-License-Identifier: Apache-2.0
// A cluster size set at launch.
// launch: --kernel ring --grid 12 --block 32 --cluster 6 --arg out:i32:384
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void ring(int* out) {
  __shared__ int value[32];
  auto cluster = cg::this_cluster();
  value[threadIdx.x] = blockIdx.x * 100 + threadIdx.x;
  cluster.sync();
  const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
  out[blockIdx.x * 32 + threadIdx.x] =
      cluster.map_shared_rank(value, next)[threadIdx.x] + 10000 * cluster.num_blocks();
  cluster.sync();
}
