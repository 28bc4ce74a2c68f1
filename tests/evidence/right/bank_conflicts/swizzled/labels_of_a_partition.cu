// SPDX-License-Identifier: Apache-2.0
// Nested cooperative groups: each warp is partitioned into groups of 8 threads. A group stores 8
// words of one row at a time.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][32];
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto eight = cg::tiled_partition<8>(warp);
  const int x = warp.thread_rank(), w = warp.meta_group_rank();
  float v[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int r = blockIdx.y * 32 + w + 8 * k, c = blockIdx.x * 32 + x;
    v[k] = r < height && c < width ? in[r * width + c] : 0.0f;
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) tile[w + 8 * k][x ^ (w * 4)] = v[k];
  cg::sync(cg::this_thread_block());
  const int row = 4 * w + eight.meta_group_rank();
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int column = 8 * k + eight.thread_rank();
    const int r = blockIdx.x * 32 + row, c = blockIdx.y * 32 + column;
    if (r < width && c < height) out[r * height + c] = tile[column][row ^ (column % 8 * 4)];
  }
}
