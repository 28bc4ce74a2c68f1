// SPDX-License-Identifier: Apache-2.0
// A block-wide asynchronous copy to shared memory.
// launch: --kernel copies --grid 1 --block 64 --arg in:i32:64:iota --arg out:i32:64
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
__global__ void copies(const int* in, int* out) {
  __shared__ int tile[64];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in, sizeof tile);
  cg::wait(block);
  out[threadIdx.x] = tile[63 - threadIdx.x];
}
