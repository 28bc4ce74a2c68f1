// SPDX-License-Identifier: Apache-2.0
// A cluster of eight blocks: all-to-all writes, then each block sums what it received.
// launch: --kernel all_to_all --grid 16 --block 64 --arg in:i32:1024:iota --arg out:i32:1024
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(8, 1, 1) all_to_all(const int* in, int* out) {
  __shared__ int box[8][64];
  auto cluster = cg::this_cluster();
  const int t = threadIdx.x;
  const int mine = in[blockIdx.x * 64 + t];
  cluster.sync();
  for (unsigned to = 0; to < 8; ++to) {
    cluster.map_shared_rank(&box[0][0], to)[cluster.block_rank() * 64 + t] = mine * (to + 1);
  }
  cluster.sync();
  int sum = 0;
  for (int from = 0; from < 8; ++from) sum = sum * 3 + box[from][t];
  out[blockIdx.x * 64 + t] = sum;
}
