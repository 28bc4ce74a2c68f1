// SPDX-License-Identifier: Apache-2.0
// Two blocks pass a value back and forth, with a cluster barrier per turn.
// launch: --kernel play --grid 2 --block 32 --arg out:i32:64
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) play(int* out) {
  __shared__ int ball[32];
  auto cluster = cg::this_cluster();
  const int t = threadIdx.x;
  ball[t] = t;
  int* there = cluster.map_shared_rank(ball, cluster.block_rank() ^ 1);
  cluster.sync();
  for (int i = 0; i < 9; ++i) {
    if (cluster.block_rank() == i % 2) there[31 - t] = ball[t] * 3 + i;
    cluster.sync();
  }
  out[blockIdx.x * 32 + t] = ball[t];
}
