// SPDX-License-Identifier: Apache-2.0
// The rank in the block from cooperative groups, and a tile of 32 threads a row.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void copy(float* out, const float* in, int width, int height) {
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const int column = block.group_index().x * 32 + warp.thread_rank();
  for (int r = warp.meta_group_rank(); r < 32; r += warp.meta_group_size()) {
    const int row = block.group_index().y * 32 + r;
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
