// SPDX-License-Identifier: Apache-2.0
// cg::reduce over warps in the first stage, and over tiles of 16 threads in the second.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

template <int Factor>
__global__ void reduce_blocks(float* partial, const float* in, unsigned n) {
  namespace cg = cooperative_groups;
  extern __shared__ float sums[];
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const auto half_warp = cg::tiled_partition<16>(warp);
#pragma unroll
  for (int c = 0; c < Factor; ++c) {
    const unsigned i = (blockIdx.x * Factor + c) * 512 + block.thread_rank();
    const float sum = cg::reduce(warp, i < n ? in[i] : 0.0f, cg::plus<float>());
    if (warp.thread_rank() == 0) sums[c * 16 + warp.meta_group_rank()] = sum;
  }
  block.sync();
  const unsigned part = block.thread_rank() / 16;
  if (part < Factor) {
    const float sum = cg::reduce(half_warp, sums[block.thread_rank()], cg::plus<float>());
    if (half_warp.thread_rank() == 0) partial[blockIdx.x * Factor + part] = sum;
  }
}
