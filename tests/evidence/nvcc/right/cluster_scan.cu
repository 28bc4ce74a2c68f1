// SPDX-License-Identifier: Apache-2.0
// A prefix sum over a cluster: each block adds the totals of the blocks before it.
// launch: --kernel scan --grid 6 --block 128 --arg in:i32:768:iota --arg out:i32:768
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(3, 1, 1) scan(const int* in, int* out) {
  __shared__ int sums[128];
  __shared__ int total;
  auto cluster = cg::this_cluster();
  const int t = threadIdx.x;
  const int i = blockIdx.x * 128 + t;
  sums[t] = in[i] & 0xff;
  for (int step = 1; step < 128; step *= 2) {
    __syncthreads();
    const int add = t >= step ? sums[t - step] : 0;
    __syncthreads();
    sums[t] += add;
  }
  if (t == 127) total = sums[t];
  cluster.sync();
  int before = 0;
  for (unsigned rank = 0; rank < cluster.block_rank(); ++rank) {
    before += *cluster.map_shared_rank(&total, rank);
  }
  out[i] = before + sums[t];
  cluster.sync();
}
