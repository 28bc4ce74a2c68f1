// SPDX-License-Identifier: Apache-2.0
// Kernels whose threads wait for each other incorrectly. A part begins with //// and its name.
// KERNEL is the head of the exercise's kernel; OUT, SIZE, INDEX and T are as in loops.cu.
//// barrier_in_half_a_warp
KERNEL { if (threadIdx.x % 2) __syncthreads(); OUT[0] = in[0]; }
//// barrier_in_each_branch
KERNEL { if (threadIdx.x % 2) __syncthreads(); else __syncthreads(); OUT[0] = in[0]; }
//// barrier_of_another_count_in_each_thread
KERNEL { for (unsigned k = 0; k < threadIdx.x; ++k) __syncthreads(); OUT[0] = in[0]; }
//// barrier_after_exit
KERNEL { if (threadIdx.x < 5) return; __syncthreads(); if (threadIdx.x == 7) return; __syncthreads(); }
//// barrier_without_end_in_one_warp
KERNEL { if (threadIdx.y == 0 && threadIdx.x < 32) while (true) __syncthreads(); }
//// warp_barrier_with_a_wrong_mask
KERNEL { if (threadIdx.x == 0) __syncwarp(~0u); OUT[0] = in[0]; }
//// warp_barrier_without_lanes
KERNEL { __syncwarp(0); __syncwarp(1u << 31); OUT[0] = in[0]; }
//// shuffle_of_absent_lanes
KERNEL { if (threadIdx.x % 32 > 3) return; OUT[0] = __shfl_sync(~0u, in[0], 31); }
//// shuffle_in_a_branch
KERNEL { T x = in[0]; if (threadIdx.x & 1) x = __shfl_xor_sync(~0u, x, 1); OUT[0] = x; }
//// named_barrier_of_too_many
KERNEL { asm volatile("bar.sync 3, 1024;"); OUT[0] = in[0]; }
//// named_barrier_of_odd_count
KERNEL { asm volatile("bar.sync 1, 33;"); OUT[0] = in[0]; }
//// named_barrier_number_16
KERNEL { const int which = 16 + threadIdx.x * 0; asm volatile("bar.sync %0;" ::"r"(which)); }
//// named_barrier_of_lanes
KERNEL { asm volatile("bar.sync %0;" ::"r"(threadIdx.x % 16)); OUT[0] = in[0]; }
//// arrives_without_end
KERNEL { for (int k = 0; k < 100000; ++k) asm volatile("bar.arrive 2, 64;"); OUT[0] = in[0]; }
//// waits_for_another_block
__device__ volatile int flag;
KERNEL { if (blockIdx.x == 0) while (flag == 0) {} else flag = 1; OUT[0] = in[0]; }
//// waits_for_the_block_before
__device__ volatile unsigned turn;
KERNEL {
  const unsigned mine = (gridDim.y - 1 - blockIdx.y) * gridDim.x + (gridDim.x - 1 - blockIdx.x);
  while (turn < mine) __nanosleep(100);
  __syncthreads();
  if (threadIdx.x + threadIdx.y == 0) turn = mine + 1;
}
//// waits_for_all_blocks
__device__ unsigned arrived;
KERNEL {
  if (threadIdx.x + threadIdx.y == 0) {
    atomicAdd(&arrived, 1u);
    while (atomicAdd(&arrived, 0u) < gridDim.x * gridDim.y) {}
  }
  __syncthreads();
  OUT[0] = in[0];
}
//// lock_of_each_lane
__device__ int lock;
KERNEL { while (atomicCAS(&lock, 0, 1) != 0) {} OUT[0] = in[0]; atomicExch(&lock, 0); }
//// lock_that_nobody_opens
__device__ int lock;
KERNEL { while (atomicCAS(&lock, 0, 1) != 0) {} OUT[0] = in[0]; }
//// waits_for_another_warp
KERNEL {
  __shared__ volatile int flag;
  if (threadIdx.y == 1) while (flag != 77) {}
  OUT[0] = in[0];
}
//// grid_barrier_of_a_plain_launch
#include <cooperative_groups.h>
KERNEL { cooperative_groups::this_grid().sync(); OUT[0] = in[0]; }
//// group_of_coalesced_threads
#include <cooperative_groups.h>
KERNEL {
  namespace cg = cooperative_groups;
  if (threadIdx.x % 3) { auto some = cg::coalesced_threads(); some.sync(); OUT[0] = some.shfl(in[0], 0); }
  cg::this_thread_block().sync();
}
//// arrival_barrier_that_waits_for_more
#include <cuda/barrier>
KERNEL {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x + threadIdx.y == 0) init(&bar, 2048);
  __syncthreads();
  bar.arrive_and_wait();
}
//// mbarrier_that_nobody_made
KERNEL {
  __shared__ unsigned long long bar;
  unsigned long long state;
  const unsigned at = unsigned(__cvta_generic_to_shared(&bar));
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(at));
  OUT[0] = T(state);
}
//// exits_in_a_barrier
KERNEL { if (threadIdx.x == 3) asm volatile("exit;"); __syncwarp(); __syncthreads(); asm volatile("exit;"); }
