// SPDX-License-Identifier: Apache-2.0
// Atomics on the shared memory of the next block, with and without results.
// launch: --kernel mix --grid 4,2 --block 64 --arg out:i32:64 --arg out:i64:8
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(4, 1, 1) mix(int* out, unsigned long long* wide) {
  __shared__ int cells[8];
  __shared__ unsigned long long big;
  auto cluster = cg::this_cluster();
  if (threadIdx.x < 8) cells[threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 0) big = 1;
  cluster.sync();
  const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
  int* there = cluster.map_shared_rank(cells, next);
  const int t = threadIdx.x;
  atomicAdd(&there[0], t);
  atomicSub(&there[1], 3);
  atomicMin(&there[2], 2 - t);
  atomicMax(&there[3], t);
  atomicOr(&there[4], 1 << t % 32);
  atomicXor(&there[5], 1 << t % 16);
  atomicAnd(&there[6], ~(1 << t % 2));
  if (t == 9) atomicCAS(&there[7], 7, 4711);
  atomicAdd(cluster.map_shared_rank(&big, next), 1ull << 33);
  cluster.sync();
  const int block = blockIdx.y * gridDim.x + blockIdx.x;
  if (t < 8) out[block * 8 + t] = cells[t];
  if (t == 0) wide[block] = atomicExch(&big, 0);
}
