// SPDX-License-Identifier: Apache-2.0
// A block waits for another block's flag, with libcu++ acquire and release.
// launch: --kernel hand_over --grid 2 --block 32 --arg out:i32:32
#include <cooperative_groups.h>
#include <cuda/atomic>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) hand_over(int* out) {
  __shared__ int ready;
  __shared__ int box[32];
  auto cluster = cg::this_cluster();
  const int t = threadIdx.x;
  if (t == 0) ready = 0;
  cluster.sync();
  if (cluster.block_rank() == 1) {
    cluster.map_shared_rank(box, 0)[t] = t * t + 3;
    __syncwarp();
    if (t == 0) {
      cuda::atomic_ref<int, cuda::thread_scope_device> flag(*cluster.map_shared_rank(&ready, 0));
      flag.store(1, cuda::memory_order_release);
    }
  } else {
    if (t == 0) {
      cuda::atomic_ref<int, cuda::thread_scope_device> flag(ready);
      while (flag.load(cuda::memory_order_acquire) == 0) {
      }
    }
    __syncwarp();
    out[t] = box[t];
  }
  cluster.sync();
}
