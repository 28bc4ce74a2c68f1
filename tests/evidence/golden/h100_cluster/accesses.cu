// SPDX-License-Identifier: Apache-2.0
// Each kernel makes one access of a warp to distributed shared memory, for counters.csv. A cluster
// is two blocks of 32 threads; measure.cu launches each kernel once.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
#define HEAD \
  extern __shared__ __align__(128) int s[]; \
  auto cluster = cg::this_cluster(); \
  const int t = threadIdx.x; \
  const unsigned rank = cluster.block_rank(); \
  const unsigned other = rank ^ 1;\
  (void)other;
#define RAW(addr, p, r) unsigned addr; asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(addr) : "r"((unsigned)__cvta_generic_to_shared(p)), "r"(r));
#define K(name) extern "C" __global__ void __cluster_dims__(2,1,1) name(int* out)
#define BEGIN HEAD cluster.sync(); int v = 0;
#define END out[blockIdx.x * 32 + t] = v; cluster.sync();
K(a_nothing) { BEGIN END }
K(b_ld_own) { BEGIN asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v) : "r"((unsigned)__cvta_generic_to_shared(s + t))); END }
K(c_ld_remote) { BEGIN RAW(a, s + t, other) asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v) : "r"(a)); END }
K(d_ld_remote_generic) { BEGIN v = *(volatile int*)(cluster.map_shared_rank(s, other) + t); END }
K(e_ld_self_cluster) { BEGIN RAW(a, s + t, rank) asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v) : "r"(a)); END }
K(f_ld_self_generic) { BEGIN v = *(volatile int*)(cluster.map_shared_rank(s, rank) + t); END }
K(g_ld_remote_stride2) { BEGIN RAW(a, s + 2 * t, other) asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v) : "r"(a)); END }
K(h_ld_remote_stride32) { BEGIN RAW(a, s + 32 * t, other) asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v) : "r"(a)); END }
K(i_ld_remote_broadcast) { BEGIN RAW(a, s, other) asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v) : "r"(a)); END }
K(j_ld_remote_mixed) { BEGIN RAW(a, s + t, t & 1) asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v) : "r"(a)); END }
K(k_ld_remote_v4) { BEGIN RAW(a, s + 4 * t, other) int x, y, z; asm volatile("ld.shared::cluster.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(v), "=r"(x), "=r"(y), "=r"(z) : "r"(a)); v += x + y + z; END }
K(l_st_remote) { BEGIN RAW(a, s + t, other) asm volatile("st.shared::cluster.u32 [%0], %1;" :: "r"(a), "r"(t) : "memory"); END }
K(m_st_remote_stride2) { BEGIN RAW(a, s + 2 * t, other) asm volatile("st.shared::cluster.u32 [%0], %1;" :: "r"(a), "r"(t) : "memory"); END }
K(n_st_remote_stride32) { BEGIN RAW(a, s + 32 * t, other) asm volatile("st.shared::cluster.u32 [%0], %1;" :: "r"(a), "r"(t) : "memory"); END }
K(o_atom_remote) { BEGIN RAW(a, s + t, other) asm volatile("atom.shared::cluster.add.u32 %0, [%1], %2;" : "=r"(v) : "r"(a), "r"(t) : "memory"); END }
K(p_red_remote) { BEGIN RAW(a, s + t, other) asm volatile("red.shared::cluster.add.u32 [%0], %1;" :: "r"(a), "r"(t) : "memory"); END }
K(q_red_remote_one) { BEGIN RAW(a, s, other) asm volatile("red.shared::cluster.add.u32 [%0], %1;" :: "r"(a), "r"(t) : "memory"); END }
K(r_atom_remote_one) { BEGIN RAW(a, s, other) asm volatile("atom.shared::cluster.add.u32 %0, [%1], %2;" : "=r"(v) : "r"(a), "r"(t) : "memory"); END }
K(s_atom_own) { BEGIN asm volatile("atom.shared.add.u32 %0, [%1], %2;" : "=r"(v) : "r"((unsigned)__cvta_generic_to_shared(s + t)), "r"(t) : "memory"); END }
K(t_atom_self_cluster) { BEGIN RAW(a, s + t, rank) asm volatile("atom.shared::cluster.add.u32 %0, [%1], %2;" : "=r"(v) : "r"(a), "r"(t) : "memory"); END }
K(u_ld_remote_8lanes) { BEGIN RAW(a, s + t, other) if (t < 8) asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v) : "r"(a)); END }
K(v_ld_remote_u8) { BEGIN RAW(a, (char*)s + t, other) asm volatile("ld.shared::cluster.u8 %0, [%1];" : "=r"(v) : "r"(a)); END }
K(w_st_remote_generic) { BEGIN *(volatile int*)(cluster.map_shared_rank(s, other) + t) = t; END }
K(x_st_own) { BEGIN asm volatile("st.shared.u32 [%0], %1;" :: "r"((unsigned)__cvta_generic_to_shared(s + t)), "r"(t) : "memory"); END }
K(y_ld_remote_mixed_halves) { BEGIN RAW(a, s + t, t >> 4) asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v) : "r"(a)); END }
