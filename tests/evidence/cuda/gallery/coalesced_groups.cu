// SPDX-License-Identifier: Apache-2.0
// coalesced_threads and labeled partitions: counts and ranks among lanes that took a branch.
// launch: grid 4 block 256
#include <cooperative_groups.h>

namespace cg = cooperative_groups;
extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned result = 0;
  if (in[i] % 3 != 0) {
    const auto active = cg::coalesced_threads();
    result = active.size() * 100 + active.thread_rank();
    result += active.shfl(in[i], 0) & 0xffff0000;
    active.sync();
  }
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  result += warp.ballot(in[i] & 1) & 0xff;
  result += warp.any(in[i] == 7) + 2 * warp.all(in[i] != 7);
  out[i] = result;
}
