// SPDX-License-Identifier: Apache-2.0
// Sums, bitwise reductions, minima and maxima with cooperative groups: reduce over tiles of 8, 16
// and 32.
// launch: grid 4 block 256
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;
extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const auto half = cg::tiled_partition<16>(warp);
  const auto eight = cg::tiled_partition<8>(block);
  const unsigned i = blockIdx.x * blockDim.x + block.thread_rank();
  const unsigned value = in[i];
  unsigned result = cg::reduce(warp, value, cg::plus<unsigned>());
  result ^= cg::reduce(half, value, cg::less<unsigned>());
  result ^= cg::reduce(eight, value, cg::bit_xor<unsigned>()) << 1;
  const float sum = cg::reduce(eight, static_cast<float>(value & 0xff), cg::plus<float>());
  block.sync();
  out[i] = result + __float_as_uint(sum) + eight.meta_group_rank();
}
