// SPDX-License-Identifier: Apache-2.0
// Cooperative groups: a tile of 32 threads per row, restrict pointers.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void spmv(float* __restrict__ y, const unsigned* __restrict__ row_begin,
                     const unsigned* __restrict__ column, const float* __restrict__ value,
                     const float* __restrict__ x, unsigned rows) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const unsigned row = blockIdx.x * 8 + tile.meta_group_rank();
  if (row >= rows) return;
  float sum = 0;
  for (unsigned i = row_begin[row] + tile.thread_rank(); i < row_begin[row + 1]; i += tile.size())
    sum += value[i] * __ldg(x + column[i]);
  sum = cg::reduce(tile, sum, cg::plus<float>());
  if (tile.thread_rank() == 0) y[row] = sum;
}
