// SPDX-License-Identifier: Apache-2.0
// Shuffles of a tile.
// launch: --kernel exchange --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:128
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void exchange(const float* in, float* out) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const float x = in[threadIdx.x] * 0.5f;
  out[threadIdx.x] = tile.shfl(x, 3);
  out[32 + threadIdx.x] = tile.shfl_up(x, 1);
  out[64 + threadIdx.x] = tile.shfl_down(x, 2);
  out[96 + threadIdx.x] = tile.shfl_xor(x, 5);
}
