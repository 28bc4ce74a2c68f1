// SPDX-License-Identifier: Apache-2.0
// Inclusive and exclusive scans of cooperative groups.
// launch: grid 4 block 128
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;
extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[2 * i] = cg::inclusive_scan(tile, in[i] & 0xfff, cg::plus<unsigned>());
  out[2 * i + 1] = cg::exclusive_scan(tile, in[i] & 0xfff, cg::plus<unsigned>());
}
