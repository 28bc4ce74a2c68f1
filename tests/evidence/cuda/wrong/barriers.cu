// SPDX-License-Identifier: Apache-2.0
// Barriers that some threads never reach, deadlocks, and loops without an end.

//--- barrier_in_a_branch
// launch: --grid 1 --block 64 --arg out:f32:64 --arg in:f32:64:iota
// | barrier_in_a_branch.cu:12:5: divergent_barrier: threads of one warp wait at two different barriers: some here, some at line 15; all threads of a block must reach the same __syncthreads(), so move it out of the if or the loop
// |    12 |     __syncthreads();
// |       |     ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(float* out, const float* in) {
  __shared__ float tile[64];
  const int i = threadIdx.x;
  if (i % 2 == 0) {
    tile[i] = in[i];
    __syncthreads();
  } else {
    tile[i] = -in[i];
    __syncthreads();
  }
  out[i] = tile[63 - i];
}

//--- barrier_in_a_loop
// launch: --grid 1 --block 32 --arg out:f32:32 --arg in:f32:32:iota
// | barrier_in_a_loop.cu:15:3: divergent_barrier: threads of one warp wait at two different barriers: some here, some at line 12; all threads of a block must reach the same __syncthreads(), so move it out of the if or the loop
// |    15 |   __syncthreads();
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(float* out, const float* in) {
  __shared__ float tile[32];
  const int i = threadIdx.x;
  tile[i] = in[i];
  for (int j = 0; j < i % 4; ++j) {
    __syncthreads();
    tile[i] += j;
  }
  __syncthreads();
  out[i] = tile[31 - i];
}

//--- deadlock_barrier_count
// launch: --grid 1 --block 96 --arg out:i32:96
// | deadlock_barrier_count.cu:10:5: deadlock: barrier 1 waits for 96 threads, but only 64 arrive; some wait at line 12 instead. The count must equal the number of threads that call it, in whole warps
// |    10 |     asm volatile("bar.sync 1, 96;" ::: "memory");  // 64 threads come
// |       |     ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(int* out) {
  if (threadIdx.x < 64) {
    out[threadIdx.x] = 1;
    asm volatile("bar.sync 1, 96;" ::: "memory");  // 64 threads come
  } else {
    __syncthreads();
  }
}

//--- deadlock_shuffle_in_a_branch
// launch: --grid 1 --block 64 --arg out:i32:64
// | deadlock_shuffle_in_a_branch.cu:12:5: deadlock: 32 of the block's 64 threads wait here, and the others never arrive; some wait at line 10 instead. Every thread that has not returned must reach the same barrier
// |    12 |     __syncthreads();
// |       |     ^
// |       block (0, 0, 0), thread (16, 0, 0)
extern "C" __global__ void k(int* out) {
  int value = threadIdx.x;
  if (threadIdx.x % 32 < 16) {
    value = __shfl_down_sync(0xffffffff, value, 8);  // the mask names lanes that wait below
  } else {
    __syncthreads();
  }
  out[threadIdx.x] = value;
}

//--- matrix_in_a_branch
// launch: --grid 1 --block 64 --arg out:f32:256 --arg in:f16:256:iota
// | matrix_in_a_branch.cu:15:5: divergent_barrier: only 16 of the 32 lanes execute this together (mask 0x0000ffff), which makes the result undefined; let whole warps take a branch that leads to a matrix operation
// |    15 |     wmma::load_matrix_sync(fa, in, 16);
// |       |     ^
// |       block (0, 0, 0), thread (0, 0, 0)
#include <mma.h>
using namespace nvcuda;
extern "C" __global__ void k(float* out, const half* in) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  if (threadIdx.x < 16) {
    wmma::load_matrix_sync(fa, in, 16);
    wmma::load_matrix_sync(fb, in, 16);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(out, fc, 16, wmma::mem_row_major);
  }
}

//--- order_blocks_by_ticket
// launch: --grid 8 --block 32 --arg out:i32:8
// | order_blocks_by_ticket.cu:11:3: out_of_bounds: writes out[100000], but out has elements 0 to 7; check the index against the size before the access (This happened when warps and blocks do not run in numerical order; to reproduce it: run the same command. A GPU may run them in any order: look for a place where one thread relies on another without a barrier.)
// |    11 |   out[turn == blockIdx.x ? turn : 100000 + turn] = turn;  // blocks come in the order of their numbers?
// |       |   ^
// |       block (5, 0, 0), thread (0, 0, 0)
__device__ unsigned next;
extern "C" __global__ void k(int* out) {
  if (threadIdx.x != 0) return;
  const unsigned turn = atomicAdd(&next, 1);
  out[turn == blockIdx.x ? turn : 100000 + turn] = turn;  // blocks come in the order of their numbers?
}

//--- runaway_flag_of_exited_thread
// launch: --grid 1 --block 64 --arg out:i32:64
// | runaway_flag_of_exited_thread.cu:12:3: runaway: the block did not finish within 1,073,741,824 units of work (a warp instruction is one unit, a request of memory or a call of printf or malloc is many); look for a loop that never ends, runs far too often, or waits for another block
// |    12 |   while (ready == 0) {
// |       |   ^
// |       block (0, 0, 0), thread (32, 0, 0)
extern "C" __global__ void k(int* out) {
  __shared__ volatile int ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x < 32) return;  // so no thread sets ready
  while (ready == 0) {
  }
  out[threadIdx.x] = 1;
}

//--- runaway_loop
// launch: --grid 1 --block 32 --arg out:i32:32 --arg i32:0
// | runaway_loop.cu:9:3: runaway: the block did not finish within 1,073,741,824 units of work (a warp instruction is one unit, a request of memory or a call of printf or malloc is many); look for a loop that never ends, runs far too often, or waits for another block
// |     9 |   for (int i = threadIdx.x; i < 100; i += step) n += i;  // step is 0
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(int* out, int step) {
  int n = 0;
  for (int i = threadIdx.x; i < 100; i += step) n += i;  // step is 0
  out[threadIdx.x] = n;
}

//--- runaway_other_block
// launch: --grid 2 --block 32 --arg out:i32:2
// | runaway_other_block.cu:11:5: runaway: the block did not finish within 1,073,741,824 units of work (a warp instruction is one unit, a request of memory or a call of printf or malloc is many); look for a loop that never ends, runs far too often, or waits for another block
// |    11 |     while (ready == 0) {
// |       |     ^
// |       block (0, 0, 0), thread (0, 0, 0)
__device__ volatile int ready;
extern "C" __global__ void k(int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    while (ready == 0) {
    }
  } else {
    ready = 1;
  }
  out[blockIdx.x] = 1;
}

//--- shuffle_mask_without_itself
// launch: --grid 1 --block 32 --arg out:i32:32
// | shuffle_mask_without_itself.cu:9:3: divergent_barrier: lane 16 executes this with the mask 0x0000ffff, which does not name lane 16 itself: the result is undefined; the mask of a warp-synchronous call must contain exactly the lanes that make it
// |     9 |   out[i] = __shfl_sync(0x0000ffff, i, 0);  // all 32 lanes
// |       |   ^
// |       block (0, 0, 0), thread (16, 0, 0)
extern "C" __global__ void k(int* out) {
  const int i = threadIdx.x;
  out[i] = __shfl_sync(0x0000ffff, i, 0);  // all 32 lanes
}
