// SPDX-License-Identifier: Apache-2.0
// The lanes that take a branch form a group, and one lane adds for all of them.
// launch: --kernel odd --grid 1 --block 64 --arg in:u32:64:iota --arg inout:u32:1:zeros --arg out:u32:64
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void odd(const unsigned* in, unsigned* total, unsigned* out) {
  if (in[threadIdx.x] % 3 == 1) {
    auto active = cg::coalesced_threads();
    if (active.thread_rank() == 0) atomicAdd(total, active.size());
    out[threadIdx.x] = active.thread_rank();
  } else {
    out[threadIdx.x] = 1000;
  }
}
