// SPDX-License-Identifier: Apache-2.0
// Cooperative groups provide the block index and 32-thread tiles; a tile copies one row at a time.
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
