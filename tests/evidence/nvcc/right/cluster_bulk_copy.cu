// SPDX-License-Identifier: Apache-2.0
// cp.async.bulk copies from one block's shared memory to that of the next block.
// launch: --kernel send --grid 4 --block 64 --arg in:i32:256:iota --arg out:i32:256
#include <cooperative_groups.h>
#include <cstdint>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(4, 1, 1) send(const int* in, int* out) {
  __shared__ alignas(8) uint64_t barrier;
  __shared__ alignas(16) int from[64];
  __shared__ alignas(16) int to[64];
  auto cluster = cg::this_cluster();
  const int t = threadIdx.x;
  const unsigned own = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
  from[t] = in[blockIdx.x * 64 + t] ^ 0x55;
  if (t == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(own));
    asm volatile("fence.mbarrier_init.release.cluster;");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" ::"r"(own) : "memory");
  }
  asm volatile("fence.proxy.async;" ::: "memory");
  cluster.sync();
  if (t == 0) {
    const unsigned next = (cluster.block_rank() + 1) % 4;
    unsigned barrier_there, to_there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(barrier_there) : "r"(own), "r"(next));
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to_there)
                 : "r"(static_cast<unsigned>(__cvta_generic_to_shared(to))), "r"(next));
    asm volatile(
        "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes "
        "[%0], [%1], 256, [%2];" ::"r"(to_there),
        "r"(static_cast<unsigned>(__cvta_generic_to_shared(from))), "r"(barrier_there) : "memory");
  }
  unsigned done = 0;
  while (done == 0) {
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0; "
        "selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(own) : "memory");
  }
  out[blockIdx.x * 64 + t] = to[t];
  cluster.sync();
}
