// SPDX-License-Identifier: Apache-2.0
// The sum of a cluster of four blocks, collected by its first block with map_shared_rank.
// launch: --kernel total --grid 8 --block 64 --arg in:i32:2000:iota --arg out:i32:2 --arg i32:2000
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(4, 1, 1) total(const int* in, int* out, int n) {
  __shared__ int sum;
  auto cluster = cg::this_cluster();
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    mine += in[i];
  }
  atomicAdd(&sum, mine);
  cluster.sync();
  if (cluster.thread_rank() == 0) {
    int all = 0;
    for (unsigned rank = 0; rank < cluster.num_blocks(); ++rank) {
      all += *cluster.map_shared_rank(&sum, rank);
    }
    out[blockIdx.x / 4] = all;
  }
  cluster.sync();
}
