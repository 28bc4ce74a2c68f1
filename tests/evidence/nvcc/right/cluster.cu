// SPDX-License-Identifier: Apache-2.0
// Clusters of thread blocks: their shared memory, barriers and copies. corpus.py describes the parts.

//--- cluster_addresses
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

//--- cluster_arrive_wait
// barrier_arrive and barrier_wait of a cluster, with independent work in between.
// launch: --kernel split --grid 4 --block 64 --arg in:i32:256:iota --arg out:i32:512
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(4, 1, 1) split(const int* in, int* out) {
  __shared__ int shown[64];
  auto cluster = cg::this_cluster();
  const int i = blockIdx.x * 64 + threadIdx.x;
  shown[threadIdx.x] = in[i];
  cluster.barrier_arrive();
  int own = in[i];
  for (int k = 0; k < 5; ++k) own = own * 5 + k;
  out[256 + i] = own;
  cluster.barrier_wait();
  const unsigned other = 3 - cluster.block_rank();
  out[i] = cluster.map_shared_rank(shown, other)[63 - threadIdx.x];
  auto token = cluster.barrier_arrive();
  cluster.barrier_wait(std::move(token));
}

//--- cluster_async_add
// red.async: updates of another block's memory, whose bytes its mbarrier counts.
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
  box[t] = 3 * t;
  if (t == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(own));
    asm volatile("fence.mbarrier_init.release.cluster;");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" ::"r"(own) : "memory");
  }
  cluster.sync();
  unsigned barrier_there, box_there;
  const unsigned other = cluster.block_rank() ^ 1;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(barrier_there) : "r"(own), "r"(other));
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(box_there) : "r"(own_box), "r"(other));
  for (int i = 0; i < 2; ++i) {
    asm volatile(
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 "
        "[%0], %1, [%2];" ::"r"(box_there + 4 * (t ^ i)), "r"(in[blockIdx.x * 32 + t]),
        "r"(barrier_there) : "memory");
  }
  unsigned done = 0;
  while (done == 0) {
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0; "
        "selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(own) : "memory");
  }
  out[blockIdx.x * 32 + t] = box[t];
  cluster.sync();
}

//--- cluster_async_store
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

//--- cluster_at_launch
// A cluster size set at launch.
// launch: --kernel ring --grid 12 --block 32 --cluster 6 --arg out:i32:384
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void ring(int* out) {
  __shared__ int value[32];
  auto cluster = cg::this_cluster();
  value[threadIdx.x] = blockIdx.x * 100 + threadIdx.x;
  cluster.sync();
  const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
  out[blockIdx.x * 32 + threadIdx.x] =
      cluster.map_shared_rank(value, next)[threadIdx.x] + 10000 * cluster.num_blocks();
  cluster.sync();
}

//--- cluster_at_launch_2d
// Two-dimensional clusters set at launch: the special registers of PTX.
// launch: --kernel registers --grid 4,4 --block 32 --cluster 2,2 --arg out:i32:256
__global__ void registers(int* out) {
  int v[16];
  asm volatile("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(v[0]));
  asm volatile("mov.u32 %0, %%cluster_ctaid.y;" : "=r"(v[1]));
  asm volatile("mov.u32 %0, %%cluster_ctaid.z;" : "=r"(v[2]));
  asm volatile("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(v[3]));
  asm volatile("mov.u32 %0, %%cluster_nctaid.y;" : "=r"(v[4]));
  asm volatile("mov.u32 %0, %%cluster_nctaid.z;" : "=r"(v[5]));
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(v[6]));
  asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(v[7]));
  asm volatile("mov.u32 %0, %%clusterid.x;" : "=r"(v[8]));
  asm volatile("mov.u32 %0, %%clusterid.y;" : "=r"(v[9]));
  asm volatile("mov.u32 %0, %%clusterid.z;" : "=r"(v[10]));
  asm volatile("mov.u32 %0, %%nclusterid.x;" : "=r"(v[11]));
  asm volatile("mov.u32 %0, %%nclusterid.y;" : "=r"(v[12]));
  asm volatile("mov.u32 %0, %%nclusterid.z;" : "=r"(v[13]));
  asm volatile("{ .reg .pred p; mov.pred p, %%is_explicit_cluster; selp.s32 %0, 1, 0, p; }"
               : "=r"(v[14]));
  v[15] = blockIdx.y * 4 + blockIdx.x;
  if (threadIdx.x < 16) out[v[15] * 16 + threadIdx.x] = v[threadIdx.x];
}

//--- cluster_atomics
// Atomics on the shared memory of the next block, with and without results.
// launch: --kernel mix --grid 4,2 --block 64 --arg out:i32:64 --arg out:i64:8
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(4, 1, 1) mix(int* out, unsigned long long* wide) {
  __shared__ int cells[8];
  __shared__ unsigned long long big;
  auto cluster = cg::this_cluster();
  if (threadIdx.x < 8) cells[threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 0) big = 1;
  cluster.sync();
  const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
  int* there = cluster.map_shared_rank(cells, next);
  const int t = threadIdx.x;
  atomicAdd(&there[0], t);
  atomicSub(&there[1], 3);
  atomicMin(&there[2], 2 - t);
  atomicMax(&there[3], t);
  atomicOr(&there[4], 1 << t % 32);
  atomicXor(&there[5], 1 << t % 16);
  atomicAnd(&there[6], ~(1 << t % 2));
  if (t == 9) atomicCAS(&there[7], 7, 4711);
  atomicAdd(cluster.map_shared_rank(&big, next), 1ull << 33);
  cluster.sync();
  const int block = blockIdx.y * gridDim.x + blockIdx.x;
  if (t < 8) out[block * 8 + t] = cells[t];
  if (t == 0) wide[block] = atomicExch(&big, 0);
}

//--- cluster_bulk_copy
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

//--- cluster_early_exit
// Idle blocks and threads of a cluster return before its barriers.
// launch: --kernel some --grid 4 --block 64 --arg inout:i32:64:zeros
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(4, 1, 1) some(int* out) {
  __shared__ int value[32];
  auto cluster = cg::this_cluster();
  if (cluster.block_rank() >= 2 || threadIdx.x >= 32) return;
  value[threadIdx.x] = threadIdx.x * (cluster.block_rank() + 1);
  cluster.sync();
  out[blockIdx.x * 32 + threadIdx.x] =
      cluster.map_shared_rank(value, cluster.block_rank() ^ 1)[31 - threadIdx.x];
  cluster.sync();
}

//--- cluster_flag
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

//--- cluster_halo
// Stencil steps whose blocks read their neighbours' edges in distributed shared memory.
// launch: --kernel smooth --grid 8 --block 32 --arg inout:f32:256:iota --arg i32:5
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(8) smooth(float* data, int steps) {
  __shared__ float tile[2][32];
  auto cluster = cg::this_cluster();
  const int t = threadIdx.x;
  const unsigned rank = cluster.block_rank();
  const int i = blockIdx.x * 32 + t;
  tile[0][t] = data[i];
  cluster.sync();
  for (int step = 0; step < steps; ++step) {
    const float* from = tile[step % 2];
    float left = from[t];
    float right = left;
    if (t > 0) {
      left = from[t - 1];
    } else if (rank > 0) {
      left = cluster.map_shared_rank(from, rank - 1)[31];
    }
    if (t < 31) {
      right = from[t + 1];
    } else if (rank + 1 < cluster.num_blocks()) {
      right = *(cluster.map_shared_rank(from, rank + 1));
    }
    tile[(step + 1) % 2][t] = (left + from[t] + right) * 0.25f;
    cluster.sync();
  }
  data[i] = tile[steps % 2][t];
}

//--- cluster_histogram
// A histogram with its bins spread over the blocks of a cluster (CUDA programming guide).
// launch: --kernel count --grid 4 --block 96 --shared 256 --arg inout:i32:128:zeros --arg in:i32:3000:iota --arg i32:64 --arg i32:3000
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1)
    count(int* bins, const int* in, int bins_per_block, int n) {
  extern __shared__ int smem[];
  const int tid = cg::this_grid().thread_rank();
  auto cluster = cg::this_cluster();
  const int cluster_size = cluster.dim_blocks().x;
  for (int i = threadIdx.x; i < bins_per_block; i += blockDim.x) smem[i] = 0;
  cluster.sync();
  const int bins_of_all = bins_per_block * cluster_size;
  for (int i = tid; i < n; i += blockDim.x * gridDim.x) {
    const int bin = static_cast<unsigned>(in[i]) % bins_of_all;
    const int block = bin / bins_per_block;
    int* there = cluster.map_shared_rank(smem, block);
    atomicAdd(there + bin % bins_per_block, 1);
  }
  cluster.sync();
  int* mine = bins + cluster.block_rank() * bins_per_block;
  for (int i = threadIdx.x; i < bins_per_block; i += blockDim.x) atomicAdd(&mine[i], smem[i]);
}

//--- cluster_matrix
// A matrix product whose blocks share tiles: each block loads half of B's rows.
// launch: --kernel multiply --grid 2,2 --block 16,16 --arg in:f32:1024:iota --arg in:f32:1024:iota --arg out:f32:1024
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(1, 2, 1) multiply(const float* a, const float* b, float* c) {
  __shared__ float rows[16][32];
  __shared__ float columns[16][16];
  auto cluster = cg::this_cluster();
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = blockIdx.y * 16 + y;
  const int column = blockIdx.x * 16 + x;
  const unsigned rank = cluster.block_rank();
  rows[y][x] = a[row * 32 + x];
  rows[y][x + 16] = a[row * 32 + x + 16];
  columns[y][x] = b[(rank * 16 + y) * 32 + column];
  cluster.sync();
  float sum = 0;
  for (unsigned half = 0; half < 2; ++half) {
    const float* tile = cluster.map_shared_rank(&columns[0][0], half);
    for (int k = 0; k < 16; ++k) sum += rows[y][half * 16 + k] * tile[k * 16 + x];
  }
  c[row * 32 + column] = sum;
  cluster.sync();
}

//--- cluster_of_eight
// A cluster of eight blocks: all-to-all writes, then each block sums what it received.
// launch: --kernel all_to_all --grid 16 --block 64 --arg in:i32:1024:iota --arg out:i32:1024
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(8, 1, 1) all_to_all(const int* in, int* out) {
  __shared__ int box[8][64];
  auto cluster = cg::this_cluster();
  const int t = threadIdx.x;
  const int mine = in[blockIdx.x * 64 + t];
  cluster.sync();
  for (unsigned to = 0; to < 8; ++to) {
    cluster.map_shared_rank(&box[0][0], to)[cluster.block_rank() * 64 + t] = mine * (to + 1);
  }
  cluster.sync();
  int sum = 0;
  for (int from = 0; from < 8; ++from) sum = sum * 3 + box[from][t];
  out[blockIdx.x * 64 + t] = sum;
}

//--- cluster_ping_pong
// Two blocks pass a value back and forth, with a cluster barrier per turn.
// launch: --kernel play --grid 2 --block 32 --arg out:i32:64
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) play(int* out) {
  __shared__ int ball[32];
  auto cluster = cg::this_cluster();
  const int t = threadIdx.x;
  ball[t] = t;
  int* there = cluster.map_shared_rank(ball, cluster.block_rank() ^ 1);
  cluster.sync();
  for (int i = 0; i < 9; ++i) {
    if (cluster.block_rank() == i % 2) there[31 - t] = ball[t] * 3 + i;
    cluster.sync();
  }
  out[blockIdx.x * 32 + t] = ball[t];
}

//--- cluster_reduction
// The sum of a cluster of four blocks, collected by its first block with map_shared_rank.
// launch: --kernel total --grid 8 --block 64 --arg in:i32:2000:iota --arg out:i32:2 --arg i32:2000
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(4, 1, 1) total(const int* in, int* out, int n) {
  __shared__ int sum;
  auto cluster = cg::this_cluster();
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    mine += in[i];
  }
  atomicAdd(&sum, mine);
  cluster.sync();
  if (cluster.thread_rank() == 0) {
    int all = 0;
    for (unsigned rank = 0; rank < cluster.num_blocks(); ++rank) {
      all += *cluster.map_shared_rank(&sum, rank);
    }
    out[blockIdx.x / 4] = all;
  }
  cluster.sync();
}

//--- cluster_remote_arrive
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

//--- cluster_scan
// A prefix sum over a cluster: each block adds the totals of the blocks before it.
// launch: --kernel scan --grid 6 --block 128 --arg in:i32:768:iota --arg out:i32:768
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(3, 1, 1) scan(const int* in, int* out) {
  __shared__ int sums[128];
  __shared__ int total;
  auto cluster = cg::this_cluster();
  const int t = threadIdx.x;
  const int i = blockIdx.x * 128 + t;
  sums[t] = in[i] & 0xff;
  for (int step = 1; step < 128; step *= 2) {
    __syncthreads();
    const int add = t >= step ? sums[t - step] : 0;
    __syncthreads();
    sums[t] += add;
  }
  if (t == 127) total = sums[t];
  cluster.sync();
  int before = 0;
  for (unsigned rank = 0; rank < cluster.block_rank(); ++rank) {
    before += *cluster.map_shared_rank(&total, rank);
  }
  out[i] = before + sums[t];
  cluster.sync();
}

//--- cluster_through_global
// A cluster barrier also orders global memory accesses.
// launch: --kernel swap --grid 8 --block 64 --arg out:i32:512 --arg out:i32:512
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) swap(int* work, int* out) {
  auto cluster = cg::this_cluster();
  const int t = threadIdx.x;
  work[blockIdx.x * 64 + t] = blockIdx.x * 1000 + t;
  cluster.sync();
  out[blockIdx.x * 64 + t] = work[(blockIdx.x ^ 1) * 64 + 63 - t] + 1;
}

//--- cluster_two_dimensions
// Indices, sizes and ranks of blocks and threads in two-dimensional clusters.
// launch: --kernel place --grid 4,6,2 --block 4,2 --arg out:i32:1536
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 3, 1) place(int* out) {
  __shared__ int mine;
  auto cluster = cg::this_cluster();
  auto grid = cg::this_grid();
  const dim3 at = cluster.block_index();
  const dim3 blocks = cluster.dim_blocks();
  const dim3 threads = cluster.dim_threads();
  const dim3 thread = cluster.thread_index();
  if (threadIdx.x == 0 && threadIdx.y == 0) mine = 100 * at.y + 10 * at.x + at.z;
  cluster.sync();
  const unsigned other = (cluster.block_rank() * 5 + 1) % cluster.num_blocks();
  const int there = *cluster.map_shared_rank(&mine, other);
  const unsigned linear = grid.thread_rank();
  out[linear * 4] = there + 1000 * cluster.block_rank();
  out[linear * 4 + 1] = blocks.x + 10 * blocks.y + 100 * blocks.z + 1000 * cluster.num_blocks();
  out[linear * 4 + 2] = threads.x + 100 * threads.y + 10000 * threads.z + 100000 * thread.x;
  out[linear * 4 + 3] = cluster.thread_rank() + 1000 * cluster.num_threads() + 1000000 * thread.y;
  cluster.sync();
}

//--- cluster_wide_types
// Vectors, doubles, bytes and structs through another block's shared memory.
// launch: --kernel carry --grid 2 --block 32 --arg out:f32:256 --arg out:f64:64 --arg out:u8:64 --arg out:i32:64
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
struct Pair {
  short a;
  int b;
};
__global__ void __cluster_dims__(2, 1, 1)
    carry(float4* out, double* doubles, unsigned char* bytes, int* sums) {
  __shared__ float4 four[32];
  __shared__ double two[32];
  __shared__ unsigned char one[32];
  __shared__ Pair pairs[32];
  auto cluster = cg::this_cluster();
  const int t = threadIdx.x;
  const unsigned rank = cluster.block_rank();
  const unsigned other = rank ^ 1;
  cluster.sync();
  cluster.map_shared_rank(four, other)[t] = make_float4(t, rank, t * 0.5f, -t);
  cluster.map_shared_rank(two, other)[31 - t] = t / 3.0;
  cluster.map_shared_rank(one, other)[t] = static_cast<unsigned char>(t * 9 + rank);
  pairs[t] = {static_cast<short>(-t), 70000 + t};
  cluster.sync();
  const int i = blockIdx.x * 32 + t;
  out[i] = four[t];
  doubles[i] = two[t];
  bytes[i] = one[t];
  const Pair there = cluster.map_shared_rank(pairs, other)[t];
  sums[i] = there.a + there.b;
  cluster.sync();
}
