// SPDX-License-Identifier: Apache-2.0
// Cooperative groups. corpus.py describes the parts.

//--- groups_as_parameter
// A device function that accepts any group.
// launch: --kernel sums --grid 1 --block 64 --arg in:i32:64:iota --arg out:i32:64
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
template <typename Group>
__device__ int sum(Group group, int* scratch, int value) {
  const int rank = group.thread_rank();
  for (int i = group.size() / 2; i > 0; i /= 2) {
    scratch[rank] = value;
    group.sync();
    if (rank < i) value += scratch[rank + i];
    group.sync();
  }
  return value;
}
__global__ void sums(const int* in, int* out) {
  __shared__ int scratch[64];
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  const int ofBlock = sum(block, scratch, in[threadIdx.x]);
  block.sync();
  const int ofTile = sum(tile, scratch + threadIdx.x / 32 * 32, in[threadIdx.x]);
  out[threadIdx.x] = threadIdx.x == 0 ? ofBlock : tile.thread_rank() == 0 ? ofTile : -1;
}

//--- groups_binary_partition
// binary_partition splits a warp by a predicate.
// launch: --kernel halves --grid 1 --block 32 --arg in:i32:32:iota --arg out:i32:32
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void halves(const int* in, int* out) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  auto group = cg::binary_partition(warp, in[threadIdx.x] % 4 == 0);
  out[threadIdx.x] = group.size() * 100 + group.thread_rank();
}

//--- groups_block_sync
// Ranks, indices and the barrier of a thread block group.
// launch: --kernel reverse --grid 2,1 --block 8,4 --arg out:u32:64
#include <cooperative_groups.h>
__global__ void reverse(unsigned* out) {
  __shared__ unsigned ranks[32];
  auto block = cooperative_groups::this_thread_block();
  const unsigned rank = block.thread_rank();
  ranks[rank] = rank * 2 + block.thread_index().y;
  block.sync();
  out[block.group_index().x * block.size() + rank] = ranks[block.size() - 1 - rank];
}

//--- groups_coalesced
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

//--- groups_grid_sync
// A barrier of the whole grid.
// launch: --kernel phases --grid 4 --block 32 --cooperative --arg inout:i32:128:iota --arg out:i32:128
#include <cooperative_groups.h>
__global__ void phases(int* data, int* out) {
  auto grid = cooperative_groups::this_grid();
  const int i = grid.thread_rank();
  data[i] *= 3;
  grid.sync();
  out[i] = data[grid.size() - 1 - i];
}

//--- groups_invoke_one
// invoke_one: one thread of a group calls a function.
// launch: --kernel calls --grid 1 --block 64 --arg inout:i32:2:zeros
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void calls(int* out) {
  auto block = cg::this_thread_block();
  cg::invoke_one(block, [&] { out[0] += 1; });
  auto tile = cg::tiled_partition<32>(block);
  cg::invoke_one(tile, [&] { atomicAdd(out + 1, 1); });
}

//--- groups_labeled_partition
// labeled_partition groups the lanes with equal labels.
// launch: --kernel labels --grid 1 --block 32 --arg in:i32:32:iota --arg out:i32:32
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void labels(const int* in, int* out) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  auto group = cg::labeled_partition(warp, in[threadIdx.x] % 5);
  out[threadIdx.x] = group.size() * 100 + group.thread_rank();
}

//--- groups_memcpy_async
// A block-wide asynchronous copy to shared memory.
// launch: --kernel copies --grid 1 --block 64 --arg in:i32:64:iota --arg out:i32:64
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
__global__ void copies(const int* in, int* out) {
  __shared__ int tile[64];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in, sizeof tile);
  cg::wait(block);
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

//--- groups_meta_rank
// The rank of a tile within its block.
// launch: --kernel places --grid 1 --block 64 --arg out:u32:64
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void places(unsigned* out) {
  auto tile = cg::tiled_partition<4>(cg::this_thread_block());
  out[threadIdx.x] = tile.meta_group_rank() * 100 + tile.meta_group_size();
}

//--- groups_run_time_tile
// A tile whose size is known only at run time.
// launch: --kernel sizes --grid 1 --block 32 --arg i32:8 --arg out:u32:32
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void sizes(int size, unsigned* out) {
  cg::thread_group group = cg::tiled_partition(cg::this_thread_block(), size);
  out[threadIdx.x] = group.size() * 100 + group.thread_rank();
}

//--- groups_shuffle_members
// Shuffles of a tile.
// launch: --kernel exchange --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:128
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void exchange(const float* in, float* out) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const float x = in[threadIdx.x] * 0.5f;
  out[threadIdx.x] = tile.shfl(x, 3);
  out[32 + threadIdx.x] = tile.shfl_up(x, 1);
  out[64 + threadIdx.x] = tile.shfl_down(x, 2);
  out[96 + threadIdx.x] = tile.shfl_xor(x, 5);
}

//--- groups_tile_reduce
// cg::reduce over tiles of eight lanes.
// launch: --kernel sums --grid 2 --block 64 --arg in:i32:128:iota --arg out:i32:16
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void sums(const int* in, int* out) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int sum = cg::reduce(tile, in[i], cg::plus<int>());
  if (tile.thread_rank() == 0) out[i / 8] = sum;
}

//--- groups_tile_scan
// Inclusive and exclusive scans of a tile.
// launch: --kernel scans --grid 1 --block 32 --arg in:i32:32:iota --arg out:i32:64
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
__global__ void scans(const int* in, int* out) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  out[threadIdx.x] = cg::inclusive_scan(tile, in[threadIdx.x]);
  out[32 + threadIdx.x] = cg::exclusive_scan(tile, in[threadIdx.x]);
}

//--- groups_votes
// Votes of a tile.
// launch: --kernel votes --grid 1 --block 32 --arg in:u32:32:iota --arg out:u32:128
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void votes(const unsigned* in, unsigned* out) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const unsigned x = in[threadIdx.x];
  out[threadIdx.x] = tile.ballot(x & 1);
  out[32 + threadIdx.x] = tile.any(x == 9);
  out[64 + threadIdx.x] = tile.all(x < 16);
  out[96 + threadIdx.x] = tile.match_any(x / 3);
}
