// SPDX-License-Identifier: Apache-2.0
// PTX mapa, getctarank and isspacep, and loads, stores and atomics with .shared::cluster.
// launch: --kernel raw --grid 2 --block 32 --arg out:i32:64 --arg out:i32:16
__global__ void __cluster_dims__(2, 1, 1) raw(int* out, int* facts) {
  __shared__ int cells[64];
  unsigned rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  const int t = threadIdx.x;
  cells[t] = t + 100 * rank;
  cells[32 + t] = 0;
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
  const unsigned own = static_cast<unsigned>(__cvta_generic_to_shared(cells));
  unsigned there, rank_there, rank_here;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(own), "r"(rank ^ 1));
  asm volatile("getctarank.shared::cluster.u32 %0, %1;" : "=r"(rank_there) : "r"(there));
  asm volatile("getctarank.shared::cluster.u32 %0, %1;" : "=r"(rank_here) : "r"(own));
  int loaded, old;
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(loaded) : "r"(there + 4 * t) : "memory");
  asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(there + 128 + 4 * t), "r"(loaded + 7)
               : "memory");
  asm volatile("barrier.cluster.arrive;" ::: "memory");
  asm volatile("barrier.cluster.wait;" ::: "memory");
  asm volatile("atom.shared::cluster.add.u32 %0, [%1], %2;"
               : "=r"(old) : "r"(there + 128 + 4 * t), "r"(1000) : "memory");
  asm volatile("red.shared::cluster.add.u32 [%0], %1;" ::"r"(there + 128 + 4 * t), "r"(old)
               : "memory");
  asm volatile("barrier.cluster.arrive;" ::: "memory");
  asm volatile("barrier.cluster.wait;" ::: "memory");
  out[blockIdx.x * 32 + t] = cells[32 + t];
  if (t == 0) {
    unsigned long long generic, wide;
    asm volatile("mapa.u64 %0, %1, %2;" : "=l"(generic) : "l"(cells), "r"(rank ^ 1));
    asm volatile("getctarank.u64 %0, %1;" : "=r"(rank_there) : "l"(generic));
    asm volatile("mapa.u64 %0, %1, %2;" : "=l"(wide) : "l"(cells), "r"(rank));
    int* f = facts + 8 * rank;
    f[0] = rank_there;
    f[1] = rank_here;
    f[2] = __isShared(cells) + 2 * __isShared(reinterpret_cast<void*>(generic));
    f[3] = __isClusterShared(cells) + 2 * __isClusterShared(reinterpret_cast<void*>(generic));
    f[4] = __isClusterShared(out) + 2 * __isGlobal(reinterpret_cast<void*>(generic));
    f[5] = *reinterpret_cast<int*>(generic) + *reinterpret_cast<int*>(wide);
    f[6] = __cluster_query_shared_rank(reinterpret_cast<void*>(generic));
    f[7] = *static_cast<int*>(__cluster_map_shared_rank(cells + 5, rank ^ 1));
  }
  asm volatile("barrier.cluster.arrive;" ::: "memory");
  asm volatile("barrier.cluster.wait;" ::: "memory");
}
