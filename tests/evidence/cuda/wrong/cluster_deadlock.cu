// SPDX-License-Identifier: Apache-2.0
// launch: --grid 2 --block 64 --arg out:i32:128
// | cluster_deadlock.cu:14:5: deadlock: barrier 1 waits for 64 threads, but only 32 arrive; some wait at line 12 instead. The count must equal the number of threads that call it, in whole warps
// |    14 |     asm volatile("bar.sync 1, 64;");
// |       |     ^
// |       block (1, 0, 0), thread (0, 0, 0)
#include <cooperative_groups.h>

extern "C" __global__ void __cluster_dims__(2, 1, 1) k(int* out) {
  const auto cluster = cooperative_groups::this_cluster();
  if (cluster.block_rank() == 0 || threadIdx.x >= 32) {
    cluster.sync();
  } else {
    asm volatile("bar.sync 1, 64;");
  }
  out[blockIdx.x * 64 + threadIdx.x] = 1;
}
