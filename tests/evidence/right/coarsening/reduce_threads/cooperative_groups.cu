// SPDX-License-Identifier: Apache-2.0
// cg::reduce in each warp; then the first warp reduces the warp sums.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

template <int Factor>
__global__ void reduce_threads(float* partial, const float* in, unsigned n) {
  extern __shared__ float sums[];
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  float sum = 0;
  for (unsigned i = block.thread_rank(); i < 512; i += block.size()) {
    const unsigned at = blockIdx.x * 512 + i;
    if (at < n) sum += in[at];
  }
  sum = cg::reduce(warp, sum, cg::plus<float>());
  if (warp.thread_rank() == 0) sums[warp.meta_group_rank()] = sum;
  block.sync();
  if (warp.meta_group_rank() == 0) {
    sum = warp.thread_rank() < warp.meta_group_size() ? sums[warp.thread_rank()] : 0.0f;
    sum = cg::reduce(warp, sum, cg::plus<float>());
    if (warp.thread_rank() == 0) partial[blockIdx.x] = sum;
  }
}
