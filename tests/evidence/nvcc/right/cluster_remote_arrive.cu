// SPDX-License-Identifier: Apache-2.0
// Blocks pass values to the next block and arrive at its mbarrier (mapa, mbarrier.arrive).
// launch: --kernel pass_on --grid 4 --block 64 --arg in:i32:256:iota --arg out:i32:256
#include <cooperative_groups.h>
#include <cstdint>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(4, 1, 1) pass_on(const int* in, int* out) {
  __shared__ alignas(8) uint64_t barrier;
  __shared__ int box[64];
  auto cluster = cg::this_cluster();
  const int t = threadIdx.x;
  const unsigned next = (cluster.block_rank() + 1) % 4;
  const unsigned own = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
  if (t == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(own), "r"(64));
  asm volatile("fence.mbarrier_init.release.cluster;");
  cluster.sync();
  unsigned there;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(own), "r"(next));
  cluster.map_shared_rank(box, next)[63 - t] = in[blockIdx.x * 64 + t] + 5;
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(there)
               : "memory");
  unsigned done = 0;
  while (done == 0) {
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0; "
        "selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(own) : "memory");
  }
  out[blockIdx.x * 64 + t] = box[t];
  cluster.sync();
}
