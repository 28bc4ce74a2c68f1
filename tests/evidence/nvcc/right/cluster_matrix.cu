// SPDX-License-Identifier: Apache-2.0
// A matrix product whose blocks share tiles: each block loads half of B's rows.
// launch: --kernel multiply --grid 2,2 --block 16,16 --arg in:f32:1024:iota --arg in:f32:1024:iota --arg out:f32:1024
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(1, 2, 1) multiply(const float* a, const float* b, float* c) {
  __shared__ float rows[16][32];
  __shared__ float columns[16][16];
  auto cluster = cg::this_cluster();
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = blockIdx.y * 16 + y;
  const int column = blockIdx.x * 16 + x;
  const unsigned rank = cluster.block_rank();
  rows[y][x] = a[row * 32 + x];
  rows[y][x + 16] = a[row * 32 + x + 16];
  columns[y][x] = b[(rank * 16 + y) * 32 + column];
  cluster.sync();
  float sum = 0;
  for (unsigned half = 0; half < 2; ++half) {
    const float* tile = cluster.map_shared_rank(&columns[0][0], half);
    for (int k = 0; k < 16; ++k) sum += rows[y][half * 16 + k] * tile[k * 16 + x];
  }
  c[row * 32 + column] = sum;
  cluster.sync();
}
