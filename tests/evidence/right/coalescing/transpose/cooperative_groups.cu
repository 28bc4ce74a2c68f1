// SPDX-License-Identifier: Apache-2.0
// Cooperative groups provide the barrier, the ranks and the block index.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][33];
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  const unsigned lane = warp.thread_rank(), first = warp.meta_group_rank();
  const dim3 place = block.group_index();
  for (unsigned r = first; r < 32; r += warp.meta_group_size())
    if (place.x * 32 + lane < width && place.y * 32 + r < height)
      tile[r][lane] = in[(place.y * 32 + r) * width + place.x * 32 + lane];
  block.sync();
  for (unsigned r = first; r < 32; r += warp.meta_group_size())
    if (place.y * 32 + lane < height && place.x * 32 + r < width)
      out[(place.x * 32 + r) * height + place.y * 32 + lane] = tile[lane][r];
}
