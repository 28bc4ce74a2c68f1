// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 64 --arg out:i32:64
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int* out) {
  __shared__ int data[64];
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const int first = threadIdx.x / 8 * 8;
  data[threadIdx.x] = threadIdx.x;
  tile.sync();
  out[threadIdx.x] = data[first + 7 - threadIdx.x % 8];
}
