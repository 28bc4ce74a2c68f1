// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 32 --arg out:i32:32
// | race_tiles.cu:14:3: race: thread (0, 0, 0) reads data[31], which thread (31, 0, 0) writes in line 12, with no barrier in between: their order is undefined. Put a __syncthreads() between line 12 and line 14. Inside a branch use __syncwarp() instead. This happened 32 times.
// |    14 |   out[threadIdx.x] = data[31 - threadIdx.x];  // another tile's
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int* out) {
  __shared__ int data[32];
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  data[threadIdx.x] = threadIdx.x;
  tile.sync();
  out[threadIdx.x] = data[31 - threadIdx.x];  // another tile's
}
