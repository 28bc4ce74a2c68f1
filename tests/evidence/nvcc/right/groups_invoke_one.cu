// SPDX-License-Identifier: Apache-2.0
// invoke_one: one thread of a group calls a function.
// launch: --kernel calls --grid 1 --block 64 --arg inout:i32:2:zeros
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void calls(int* out) {
  auto block = cg::this_thread_block();
  cg::invoke_one(block, [&] { out[0] += 1; });
  auto tile = cg::tiled_partition<32>(block);
  cg::invoke_one(tile, [&] { atomicAdd(out + 1, 1); });
}
