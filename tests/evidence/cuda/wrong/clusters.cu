// SPDX-License-Identifier: Apache-2.0
// Mistakes of the blocks of a cluster.

//--- cluster_bounds_of_another_block
// launch: --grid 2 --block 32 --arg out:i32:64
// | cluster_bounds_of_another_block.cu:14:3: out_of_bounds: reads tile[32] of the block of rank 0, but tile has elements 0 to 31; check the index against the size before the access
// |    14 |   out[blockIdx.x * 32 + threadIdx.x] = other[threadIdx.x + 1];
// |       block (1, 0, 0), thread (31, 0, 0)
#include <cooperative_groups.h>

extern "C" __global__ void __cluster_dims__(2, 1, 1) k(int* out) {
  __shared__ int tile[32];
  const auto cluster = cooperative_groups::this_cluster();
  tile[threadIdx.x] = threadIdx.x;
  cluster.sync();
  const int* other = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1);
  out[blockIdx.x * 32 + threadIdx.x] = other[threadIdx.x + 1];
  cluster.sync();
}

//--- cluster_deadlock
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

//--- cluster_ends_too_early
// launch: --grid 2 --block 32 --arg out:i32:64
// | cluster_ends_too_early.cu:15:3: race: thread (0, 0, 0) reads value[0] of the block of rank 0, and that block may have ended by then. A block's shared memory is gone when its threads have returned, and a GPU then stops the kernel. After the last such access, let every thread of the cluster reach a cluster.sync() before it returns. This happened 32 times.
// |    15 |   out[threadIdx.x] = cluster.map_shared_rank(value, 0)[threadIdx.x];
// |       |                                              ^
// |       block (1, 0, 0), thread (0, 0, 0)
#include <cooperative_groups.h>

extern "C" __global__ void __cluster_dims__(2, 1, 1) k(int* out) {
  __shared__ int value[32];
  const auto cluster = cooperative_groups::this_cluster();
  value[threadIdx.x] = 3 * threadIdx.x;
  cluster.sync();
  if (cluster.block_rank() == 0) return;
  out[threadIdx.x] = cluster.map_shared_rank(value, 0)[threadIdx.x];
}

//--- cluster_race_without_barrier
// launch: --grid 2 --block 64 --arg out:i32:128
// | cluster_race_without_barrier.cu:14:3: race: thread (0, 0, 0) writes value[0], which thread (63, 0, 0) of block (1, 0, 0) reads in line 17, with no barrier in between: their order is undefined. Put a cluster.sync() between line 14 and line 17. This happened 128 times.
// |    14 |   value[threadIdx.x] = blockIdx.x + threadIdx.x;
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
#include <cooperative_groups.h>

extern "C" __global__ void __cluster_dims__(2, 1, 1) k(int* out) {
  __shared__ int value[64];
  const auto cluster = cooperative_groups::this_cluster();
  value[threadIdx.x] = 0;
  cluster.sync();
  value[threadIdx.x] = blockIdx.x + threadIdx.x;
  __syncthreads();
  const int* other = cluster.map_shared_rank(value, cluster.block_rank() ^ 1);
  out[blockIdx.x * 64 + threadIdx.x] = other[63 - threadIdx.x];
  cluster.sync();
}

//--- cluster_rank_too_large
// launch: --grid 4 --block 32 --arg out:i32:128
// | cluster_rank_too_large.cu:14:3: out_of_bounds: reads 4 bytes, in the shared memory of the block of rank 4, but the cluster has 4 blocks, whose ranks begin at 0; check the rank against num_blocks() of the cluster
// |    14 |   out[blockIdx.x * 32 + threadIdx.x] = cluster.map_shared_rank(value, next)[threadIdx.x];
// |       block (3, 0, 0), thread (0, 0, 0)
#include <cooperative_groups.h>

extern "C" __global__ void __cluster_dims__(4, 1, 1) k(int* out) {
  __shared__ int value[32];
  const auto cluster = cooperative_groups::this_cluster();
  value[threadIdx.x] = threadIdx.x;
  cluster.sync();
  const unsigned next = cluster.block_rank() + 1;
  out[blockIdx.x * 32 + threadIdx.x] = cluster.map_shared_rank(value, next)[threadIdx.x];
  cluster.sync();
}

//--- cluster_read_before_written
// launch: --grid 2 --block 32 --arg out:i32:64
// | cluster_read_before_written.cu:14:3: uninitialized_read: thread (0, 0, 0) reads box[0], which no thread of the cluster has written yet. Shared memory is not zero-initialized: store to it first, with a __syncthreads() in between if another thread stores. This happened 64 times.
// |    14 |   out[blockIdx.x * 32 + threadIdx.x] = other[threadIdx.x];
// |       block (1, 0, 0), thread (0, 0, 0)
#include <cooperative_groups.h>

extern "C" __global__ void __cluster_dims__(2, 1, 1) k(int* out) {
  __shared__ int box[32];
  const auto cluster = cooperative_groups::this_cluster();
  if (cluster.block_rank() == 0) box[threadIdx.x] = threadIdx.x;
  cluster.sync();
  const int* other = cluster.map_shared_rank(box, 1);
  out[blockIdx.x * 32 + threadIdx.x] = other[threadIdx.x];
  cluster.sync();
}
