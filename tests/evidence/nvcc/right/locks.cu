// SPDX-License-Identifier: Apache-2.0
// Locks within a warp and between blocks. corpus.py describes the parts.

//--- locks_between_blocks
// A lock that one thread of each block takes.
// launch: --kernel count --grid 8 --block 32 --arg inout:i32:1:zeros
__device__ int lock;
__global__ void count(int* total) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  __threadfence();
  *(volatile int*)total += blockIdx.x;
  __threadfence();
  atomicExch(&lock, 0);
}

//--- locks_flag_in_warp
// One lane waits for a flag that another lane of its warp sets.
// launch: --kernel handed --grid 1 --block 32 --arg out:i32:1
__global__ void handed(int* out) {
  __shared__ volatile int flag, value;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 5) {
    value = 42;
    __threadfence_block();
    flag = 1;
  } else if (threadIdx.x == 9) {
    while (flag == 0) {
    }
    __threadfence_block();
    out[0] = value;
  }
}

//--- locks_spin_before
// The textbook loop while (atomicCAS(...) != 0); in every lane.
// launch: --kernel count --grid 1 --block 32 --arg inout:i32:1:zeros
__device__ int lock;
__global__ void count(int* total) {
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  __threadfence();
  *(volatile int*)total += 2;
  __threadfence();
  atomicExch(&lock, 0);
}

//--- locks_ticket
// A ticket lock with atomicAdd and a volatile read.
// launch: --kernel count --grid 4 --block 32 --arg inout:i32:1:zeros
__device__ unsigned next_ticket;
__device__ volatile unsigned now_serving;
__global__ void count(int* total) {
  if (threadIdx.x != 0) return;
  const unsigned mine = atomicAdd(&next_ticket, 1u);
  while (now_serving != mine) {
  }
  __threadfence();
  *(volatile int*)total += 3;
  __threadfence();
  now_serving = mine + 1;
}

//--- locks_within_warp
// A spin lock that the lanes of a warp take one at a time.
// launch: --kernel count --grid 1 --block 32 --arg inout:i32:1:zeros
__device__ int lock;
__global__ void count(int* total) {
  bool done = false;
  while (!done) {
    if (atomicCAS(&lock, 0, 1) == 0) {
      __threadfence();
      *(volatile int*)total += 1;
      __threadfence();
      atomicExch(&lock, 0);
      done = true;
    }
  }
}
