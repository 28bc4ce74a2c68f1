// SPDX-License-Identifier: Apache-2.0
// Cooperative launches: barriers of the grid. corpus.py describes the parts.

//--- cooperative_arrive_wait
// Threads arrive at the grid barrier, do independent work, and wait.
// launch: --kernel split --grid 4 --block 64 --cooperative --arg inout:i32:256:iota --arg out:i32:256 --arg out:i32:256
#include <cooperative_groups.h>
#include <utility>
__global__ void split(int* data, int* own, int* out) {
  auto grid = cooperative_groups::this_grid();
  const int i = static_cast<int>(grid.thread_rank());
  const int n = static_cast<int>(grid.size());
  for (int round = 0; round < 3; ++round) {
    data[i] = data[i] * 5 + round;
    auto token = grid.barrier_arrive();
    own[i] = i * i + round;
    grid.barrier_wait(std::move(token));
    out[i] = data[(i + 77) % n];
    grid.sync();
  }
}

//--- cooperative_flags_backwards
// Each block waits for the next block, by a volatile flag and fences: all must be resident.
// launch: --kernel chain --grid 7 --block 32 --cooperative --arg inout:i32:8:zeros --arg inout:i32:256:zeros
__global__ void chain(volatile int* flags, int* data) {
  const int b = blockIdx.x;
  if (b + 1 < gridDim.x) {
    if (threadIdx.x == 0) {
      while (flags[b + 1] == 0) {
      }
      __threadfence();
    }
    __syncthreads();
  }
  data[b * 32 + threadIdx.x] = b + (b + 1 < gridDim.x ? 2 * data[(b + 1) * 32 + 31 - threadIdx.x] : threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    flags[b] = 1;
  }
}

//--- cooperative_free_sync
// The free function sync() in a function that accepts any group.
// launch: --kernel all_sizes --grid 3 --block 96 --cooperative --arg inout:i32:288:iota --arg out:i32:288
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
template <typename Group>
__device__ void reverse(const Group& group, int* data, int* out) {
  cg::sync(group);
  const int i = static_cast<int>(group.thread_rank());
  out[i] = data[group.size() - 1 - i];
  cg::sync(group);
  data[i] = out[i] + 1;
}
__global__ void all_sizes(int* data, int* out) {
  auto grid = cg::this_grid();
  auto block = cg::this_thread_block();
  reverse(grid, data, out);
  cg::sync(grid);
  reverse(block, data + block.group_index().x * 96, out + block.group_index().x * 96);
}

//--- cooperative_many_blocks
// Three phases with as many blocks as four per SM on 132 SMs.
// launch: --kernel many --grid 528 --block 128 --cooperative --arg out:i32:528 --arg out:i32:528 --arg out:i32:1
#include <cooperative_groups.h>
__global__ void many(int* a, int* b, int* sum) {
  auto grid = cooperative_groups::this_grid();
  if (threadIdx.x == 0) a[blockIdx.x] = 3 * blockIdx.x + 1;
  if (grid.thread_rank() == 0) *sum = 0;
  grid.sync();
  if (threadIdx.x == 0) b[blockIdx.x] = a[(blockIdx.x * 5 + 17) % gridDim.x];
  grid.sync();
  if (threadIdx.x < 4) atomicAdd(sum, b[(blockIdx.x + threadIdx.x * 100) % gridDim.x]);
}

//--- cooperative_own_barrier
// A hand-written grid barrier on an atomic counter.
// launch: --kernel rounds --grid 6 --block 64 --cooperative --arg inout:u32:1:zeros --arg inout:i32:384:iota --arg inout:i32:384:zeros
__device__ void meet(unsigned* counter, unsigned target) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(counter, 1);
    while (*static_cast<volatile unsigned*>(counter) < target) {
    }
    __threadfence();
  }
  __syncthreads();
}
__global__ void rounds(unsigned* counter, int* a, int* b) {
  const int n = gridDim.x * blockDim.x;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int round = 0; round < 4; ++round) {
    b[i] = a[(i * 7 + 64) % n] + round;
    meet(counter, (2 * round + 1) * gridDim.x);
    a[i] = b[(i + 100) % n];
    meet(counter, (2 * round + 2) * gridDim.x);
  }
}

//--- cooperative_ping_pong
// Two blocks pass a value back and forth with libcu++ acquire and release.
// launch: --kernel play --grid 2 --block 32 --cooperative --arg inout:i32:1:zeros --arg inout:i32:32:iota
#include <cuda/atomic>
__global__ void play(int* turn, int* data) {
  cuda::atomic_ref<int, cuda::thread_scope_device> whose(*turn);
  for (int i = 0; i < 10; ++i) {
    if (threadIdx.x == 0) {
      while (whose.load(cuda::memory_order_acquire) != 2 * i + blockIdx.x) {
      }
    }
    __syncthreads();
    data[threadIdx.x] = data[threadIdx.x] * 3 + static_cast<int>(blockIdx.x) + i;
    __syncthreads();
    if (threadIdx.x == 0) whose.store(2 * i + blockIdx.x + 1, cuda::memory_order_release);
  }
}

//--- cooperative_ranks
// Ranks, sizes and dimensions of the grid group.
// launch: --kernel ranks --grid 3,2,2 --block 4,3,2 --cooperative --arg out:i32:288 --arg out:i32:12 --arg out:i32:12
#include <cooperative_groups.h>
__global__ void ranks(int* threads, int* blocks, int* facts) {
  auto grid = cooperative_groups::this_grid();
  threads[grid.thread_rank()] =
      threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z + 1000 * grid.thread_index().y;
  const dim3 at = grid.block_index();
  blocks[grid.block_rank()] = at.x + 10 * at.y + 100 * at.z;
  grid.sync();
  if (grid.thread_rank() != 0) return;
  const dim3 blocks_of = grid.dim_blocks();
  const dim3 threads_of = grid.dim_threads();
  const dim3 old = grid.group_dim();
  const int all[12] = {grid.is_valid(),     static_cast<int>(grid.size()),
                       static_cast<int>(grid.num_threads()), static_cast<int>(grid.num_blocks()),
                       static_cast<int>(blocks_of.x), static_cast<int>(blocks_of.y),
                       static_cast<int>(blocks_of.z), static_cast<int>(threads_of.x),
                       static_cast<int>(threads_of.y), static_cast<int>(threads_of.z),
                       static_cast<int>(old.x), blocks[11]};
  for (int i = 0; i < 12; ++i) facts[i] = all[i];
}

//--- cooperative_reduction
// Partial sums of all blocks, added up by the first block in the same launch.
// launch: --kernel total --grid 5,2 --block 16,8 --cooperative --arg in:i32:5000:iota --arg out:i32:10 --arg out:i32:1 --arg i32:5000
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void total(const int* in, int* partial, int* out, int n) {
  __shared__ int sums[128];
  auto grid = cg::this_grid();
  auto block = cg::this_thread_block();
  int sum = 0;
  for (int i = grid.thread_rank(); i < n; i += grid.size()) sum += in[i];
  sums[block.thread_rank()] = sum;
  block.sync();
  for (int half = 64; half > 0; half /= 2) {
    if (block.thread_rank() < half) sums[block.thread_rank()] += sums[block.thread_rank() + half];
    block.sync();
  }
  if (block.thread_rank() == 0) partial[grid.block_rank()] = sums[0];
  grid.sync();
  if (grid.thread_rank() == 0) {
    int all = 0;
    for (int b = 0; b < grid.num_blocks(); ++b) all += partial[b];
    *out = all;
  }
}

//--- cooperative_scan
// A prefix sum over the grid: block totals, a barrier, and the totals of earlier blocks.
// launch: --kernel scan --grid 8 --block 128 --cooperative --arg in:i32:1024:iota --arg out:i32:8 --arg out:i32:1024
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void scan(const int* in, int* sums, int* out) {
  __shared__ int warps[4];
  auto grid = cg::this_grid();
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  const int value = in[grid.thread_rank()];
  int sum = cg::inclusive_scan(warp, value);
  if (warp.thread_rank() == 31) warps[warp.meta_group_rank()] = sum;
  block.sync();
  for (int w = 0; w < static_cast<int>(warp.meta_group_rank()); ++w) sum += warps[w];
  if (block.thread_rank() == 127) sums[blockIdx.x] = sum;
  grid.sync();
  for (int b = 0; b < blockIdx.x; ++b) sum += sums[b];
  out[grid.thread_rank()] = sum;
}

//--- cooperative_search
// A breadth-first search, level by level, until no block finds a new node.
// launch: --kernel levels --grid 4 --block 32 --cooperative --arg inout:i32:500:zeros --arg inout:i32:2:zeros --arg i32:500
#include <cooperative_groups.h>
__global__ void levels(int* level, int* found, int n) {
  auto grid = cooperative_groups::this_grid();
  if (grid.thread_rank() == 0) level[0] = 1;
  grid.sync();
  for (int now = 1;; ++now) {
    for (int i = grid.thread_rank(); i < n; i += grid.size()) {
      if (*static_cast<volatile int*>(&level[i]) != now) continue;
      const int next[2] = {(3 * i + 1) % n, (i + 7) % n};
      for (int to : next) {
        if (atomicCAS(&level[to], 0, now + 1) == 0) atomicAdd(&found[now % 2], 1);
      }
    }
    grid.sync();
    const int more = found[now % 2];
    if (grid.thread_rank() == 0) found[(now + 1) % 2] = 0;
    grid.sync();
    if (more == 0) break;
  }
}

//--- cooperative_shared_keeps
// Shared memory and thread variables keep their values across a grid barrier.
// launch: --kernel keeps --grid 5 --block 64 --shared 256 --cooperative --arg out:i32:320 --arg out:i32:5
#include <cooperative_groups.h>
__global__ void keeps(int* out, int* firsts) {
  extern __shared__ int kept[];
  auto grid = cooperative_groups::this_grid();
  int own[4];
  for (int k = 0; k < 4; ++k) own[k] = static_cast<int>(threadIdx.x) * (k + blockIdx.x);
  kept[threadIdx.x] = blockIdx.x * 1000 + threadIdx.x;
  if (threadIdx.x == 0) firsts[blockIdx.x] = 7 * blockIdx.x;
  grid.sync();
  const int other = firsts[(blockIdx.x + 1) % gridDim.x];
  out[grid.thread_rank()] = kept[63 - threadIdx.x] + own[(threadIdx.x + other) % 4] + other;
}

//--- cooperative_sort
// A bitonic sort over all blocks, with a grid barrier after each pass.
// launch: --kernel sort --grid 4 --block 64 --cooperative --arg inout:i32:512:iota --arg i32:512
#include <cooperative_groups.h>
__global__ void sort(int* keys, int n) {
  auto grid = cooperative_groups::this_grid();
  for (int i = grid.thread_rank(); i < n; i += grid.size()) {
    keys[i] = static_cast<int>(static_cast<unsigned>(keys[i]) * 2654435761U >> 1);
  }
  for (int size = 2; size <= n; size *= 2) {
    for (int step = size / 2; step > 0; step /= 2) {
      grid.sync();
      const int pair = static_cast<int>(grid.thread_rank());
      const int low = pair / step * 2 * step + pair % step;
      const bool up = (low & size) == 0;
      const int a = keys[low], b = keys[low + step];
      if ((a > b) == up) {
        keys[low] = b;
        keys[low + step] = a;
      }
    }
  }
}

//--- cooperative_stencil
// Twenty stencil steps in one launch, each ended by a grid barrier.
// launch: --kernel steps --grid 6 --block 64 --cooperative --arg inout:i32:384:iota --arg inout:i32:384:zeros --arg i32:20
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void steps(int* a, int* b, int count) {
  auto grid = cg::this_grid();
  const int i = static_cast<int>(grid.thread_rank());
  const int n = static_cast<int>(grid.size());
  for (int step = 0; step < count; ++step) {
    b[i] = 3 * a[(i + n - 1) % n] - 2 * a[i] + a[(i + 1) % n] + step;
    grid.sync();
    int* swap = a;
    a = b;
    b = swap;
  }
}
