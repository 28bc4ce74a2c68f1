// SPDX-License-Identifier: Apache-2.0
// A tile whose size is known only at run time.
// launch: --kernel sizes --grid 1 --block 32 --arg i32:8 --arg out:u32:32
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void sizes(int size, unsigned* out) {
  cg::thread_group group = cg::tiled_partition(cg::this_thread_block(), size);
  out[threadIdx.x] = group.size() * 100 + group.thread_rank();
}
