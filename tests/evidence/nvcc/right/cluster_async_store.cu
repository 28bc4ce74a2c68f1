// SPDX-License-Identifier: Apache-2.0
// st.async: stores to another block's memory, whose bytes its mbarrier counts.
// launch: --kernel send --grid 2 --block 32 --arg in:i32:64:iota --arg out:i32:64
#include <cooperative_groups.h>
#include <cstdint>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) send(const int* in, int* out) {
  __shared__ alignas(8) uint64_t barrier;
  __shared__ int box[32];
  auto cluster = cg::this_cluster();
  const int t = threadIdx.x;
  const unsigned own = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
  const unsigned own_box = static_cast<unsigned>(__cvta_generic_to_shared(box));
  if (t == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(own));
    asm volatile("fence.mbarrier_init.release.cluster;");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 128;" ::"r"(own) : "memory");
  }
  cluster.sync();
  unsigned barrier_there, box_there;
  const unsigned other = cluster.block_rank() ^ 1;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(barrier_there) : "r"(own), "r"(other));
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(box_there) : "r"(own_box), "r"(other));
  asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(
                   box_there + 4 * t), "r"(in[blockIdx.x * 32 + t]), "r"(barrier_there)
               : "memory");
  unsigned done = 0;
  while (done == 0) {
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0; "
        "selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(own) : "memory");
  }
  out[blockIdx.x * 32 + t] = box[t];
  cluster.sync();
}
