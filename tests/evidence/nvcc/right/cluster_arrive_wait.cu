// SPDX-License-Identifier: Apache-2.0
// barrier_arrive and barrier_wait of a cluster, with independent work in between.
// launch: --kernel split --grid 4 --block 64 --arg in:i32:256:iota --arg out:i32:512
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(4, 1, 1) split(const int* in, int* out) {
  __shared__ int shown[64];
  auto cluster = cg::this_cluster();
  const int i = blockIdx.x * 64 + threadIdx.x;
  shown[threadIdx.x] = in[i];
  cluster.barrier_arrive();
  int own = in[i];
  for (int k = 0; k < 5; ++k) own = own * 5 + k;
  out[256 + i] = own;
  cluster.barrier_wait();
  const unsigned other = 3 - cluster.block_rank();
  out[i] = cluster.map_shared_rank(shown, other)[63 - threadIdx.x];
  auto token = cluster.barrier_arrive();
  cluster.barrier_wait(std::move(token));
}
