// SPDX-License-Identifier: Apache-2.0
// cooperative_groups::memcpy_async and wait.
// launch: grid 4 block 128
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;
extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  __shared__ __align__(16) unsigned tile[128];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in + blockIdx.x * 128, sizeof tile);
  cg::wait(block);
  out[blockIdx.x * 128 + threadIdx.x] = tile[127 - threadIdx.x] + 1;
}
