// SPDX-License-Identifier: Apache-2.0
// The grid's size and ranks from cooperative groups, and cg::reduce.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float sums[32];
  const auto grid = cg::this_grid();
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const float4* words = reinterpret_cast<const float4*>(in);
  float sum = 0;
  for (unsigned i = grid.thread_rank(); i < n / 4; i += grid.size()) {
    const float4 v = words[i];
    sum += v.x + v.y + v.z + v.w;
  }
  for (unsigned i = n / 4 * 4 + grid.thread_rank(); i < n; i += grid.size()) sum += in[i];
  sum = cg::reduce(warp, sum, cg::plus<float>());
  if (warp.thread_rank() == 0) sums[warp.meta_group_rank()] = sum;
  block.sync();
  if (warp.meta_group_rank() == 0) {
    sum = cg::reduce(warp,
                     warp.thread_rank() < warp.meta_group_size() ? sums[warp.thread_rank()] : 0.f,
                     cg::plus<float>());
    if (warp.thread_rank() == 0) partial[blockIdx.x] = sum;
  }
}
