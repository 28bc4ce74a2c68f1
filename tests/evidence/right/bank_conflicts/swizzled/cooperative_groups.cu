// SPDX-License-Identifier: Apache-2.0
// The XOR swizzle, with ranks and the barrier from cooperative groups.
#include <cooperative_groups.h>

__global__ void transpose(float* out, const float* in, int width, int height) {
  namespace cg = cooperative_groups;
  __shared__ float tile[32][32];
  const auto block = cg::this_thread_block();
  const int lane = block.thread_rank() % 32, warp = block.thread_rank() / 32;
  for (int y = warp; y < 32; y += 8) {
    const int r = blockIdx.y * 32 + y, c = blockIdx.x * 32 + lane;
    if (r < height && c < width) tile[y][lane ^ y] = in[r * width + c];
  }
  cg::sync(block);
  for (int y = warp; y < 32; y += 8) {
    const int r = blockIdx.x * 32 + y, c = blockIdx.y * 32 + lane;
    if (r < width && c < height) out[r * height + c] = tile[lane][y ^ lane];
  }
}
