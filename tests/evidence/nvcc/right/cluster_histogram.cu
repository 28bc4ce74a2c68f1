// SPDX-License-Identifier: Apache-2.0
// A histogram with its bins spread over the blocks of a cluster (CUDA programming guide).
// launch: --kernel count --grid 4 --block 96 --shared 256 --arg inout:i32:128:zeros --arg in:i32:3000:iota --arg i32:64 --arg i32:3000
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1)
    count(int* bins, const int* in, int bins_per_block, int n) {
  extern __shared__ int smem[];
  const int tid = cg::this_grid().thread_rank();
  auto cluster = cg::this_cluster();
  const int cluster_size = cluster.dim_blocks().x;
  for (int i = threadIdx.x; i < bins_per_block; i += blockDim.x) smem[i] = 0;
  cluster.sync();
  const int bins_of_all = bins_per_block * cluster_size;
  for (int i = tid; i < n; i += blockDim.x * gridDim.x) {
    const int bin = static_cast<unsigned>(in[i]) % bins_of_all;
    const int block = bin / bins_per_block;
    int* there = cluster.map_shared_rank(smem, block);
    atomicAdd(there + bin % bins_per_block, 1);
  }
  cluster.sync();
  int* mine = bins + cluster.block_rank() * bins_per_block;
  for (int i = threadIdx.x; i < bins_per_block; i += blockDim.x) atomicAdd(&mine[i], smem[i]);
}
