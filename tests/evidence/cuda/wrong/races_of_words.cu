// SPDX-License-Identifier: Apache-2.0
// Races on words of global memory: flags, locks, counters.

//--- race_flag_without_fence
// launch: --grid 1 --block 64 --arg out:i32:32
// | race_flag_without_fence.cu:19:5: race: thread (32, 0, 0) reads data[0], which thread (0, 0, 0) writes in line 13, with no barrier in between: their order is undefined. A flag, a counter or a lock orders accesses to other words only with fences. Put a __threadfence_block() between line 13 and the access that sets the flag, and one between the access that reads the flag and line 19. This happened 32 times.
// |    19 |     out[lane] = data[lane];
// |       |                 ^
// |       block (0, 0, 0), thread (32, 0, 0)
extern "C" __global__ void k(int* out) {
  __shared__ int data[32], ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    data[lane] = lane;
    __syncwarp();
    if (lane == 0) atomicExch(&ready, 1);
  } else {
    while (atomicAdd(&ready, 0) == 0) {
    }
    out[lane] = data[lane];
  }
}

//--- race_global_between_blocks
// launch: --grid 4 --block 32 --arg out:f32:1 --arg in:f32:128:iota
// | race_global_between_blocks.cu:9:3: race: thread (0, 0, 0) reads out[0], which thread (0, 0, 0) of block (3, 0, 0) writes in the same line, with nothing to order them: their order is undefined. This is a lost update: line 9 reads the word and writes it in a second step, and another thread may write it in between. Do it in one step: atomicAdd(). This happened 3 times.
// |     9 |   if (threadIdx.x == 0) *out += value;  // each block
// |       |                          ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(float* out, const float* in) {
  const float value = in[blockIdx.x * 32 + threadIdx.x];
  if (threadIdx.x == 0) *out += value;  // each block
}

//--- race_global_between_threads
// launch: --grid 1 --block 64 --arg out:i32:64 --arg in:i32:64:iota
// | race_global_between_threads.cu:12:3: race: thread (1, 0, 0) reads out[0], which thread (0, 0, 0) writes in line 11, with nothing to order them: their order is undefined. Both threads are in one warp, whose lanes need not run in lockstep. Put a __syncwarp() between line 11 and line 12. This happened 62 times.
// |    12 |   if (i > 0) out[i] += out[i - 1];
// |       block (0, 0, 0), thread (1, 0, 0)
// | race_global_between_threads.cu:12:3: race: thread (32, 0, 0) reads out[31], which thread (31, 0, 0) writes in the same line, with nothing to order them: their order is undefined. Read into a variable, call __syncthreads(), then store. This happened 62 times.
// |    12 |   if (i > 0) out[i] += out[i - 1];
// |       block (0, 0, 0), thread (32, 0, 0)
extern "C" __global__ void k(int* out, const int* in) {
  const int i = threadIdx.x;
  out[i] = in[i];
  if (i > 0) out[i] += out[i - 1];
}

//--- race_global_reset
// launch: --grid 4 --block 32 --arg out:i32:1 --arg in:i32:128:iota
// | race_global_reset.cu:8:3: race: thread (0, 0, 0) writes out[0], which thread (31, 0, 0) of block (3, 0, 0) atomically updates in line 9, with nothing to order them: their order is undefined. Blocks run concurrently and in any order: set it before the launch, or use an atomic. This happened 2 times.
// |     8 |   if (blockIdx.x == 0 && threadIdx.x == 0) *out = 0;
// |       |                                             ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(int* out, const int* in) {
  if (blockIdx.x == 0 && threadIdx.x == 0) *out = 0;
  atomicAdd(out, in[blockIdx.x * 32 + threadIdx.x]);
}

//--- race_global_reset_before_atomic
// launch: --grid 1 --block 32 --arg out:i32:32 --arg out:i32:1
// | race_global_reset_before_atomic.cu:9:3: race: thread (1, 0, 0) atomically updates count[0], which thread (0, 0, 0) writes in line 8, with nothing to order them: their order is undefined. Let only one thread write there, give each thread its own element, or put a __syncthreads() between line 8 and line 9. Inside a branch use __syncwarp() instead.
// |     9 |   atomicAdd(count, 1);
// |       |             ^
// |       block (0, 0, 0), thread (1, 0, 0)
extern "C" __global__ void k(int* out, int* count) {
  if (threadIdx.x == 0) *count = 0;
  atomicAdd(count, 1);
  __syncthreads();
  out[threadIdx.x] = *count;
}

//--- race_last_block_without_barrier
// launch: --grid 4 --block 64 --arg out:i32:256
// | race_last_block_without_barrier.cu:18:5: race: thread (0, 0, 0) reads values[255], which thread (63, 0, 0) of block (3, 0, 0) writes in line 11, with nothing to order them: their order is undefined. Blocks run concurrently and in any order: let one block do both, split the kernel in two, or publish the value with __threadfence() and an atomic. This happened 189 times.
// |    18 |     for (int i = threadIdx.x; i < 256; i += 64) out[i] = values[255 - i];
// |       |                                                          ^
// |       block (0, 0, 0), thread (0, 0, 0)
__device__ int values[256];
__device__ unsigned done;
extern "C" __global__ void k(int* out) {
  __shared__ bool is_last;
  values[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 0) {  // no __syncthreads() before: others may not have written yet
    __threadfence();
    is_last = atomicAdd(&done, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last)
    for (int i = threadIdx.x; i < 256; i += 64) out[i] = values[255 - i];
}

//--- race_last_block_without_fence
// launch: --grid 4 --block 32 --arg out:i32:1
// | race_last_block_without_fence.cu:15:5: race: thread (0, 0, 0) reads partial[1], which thread (0, 0, 0) of block (1, 0, 0) writes in line 11, with nothing to order them: their order is undefined. A flag, a counter or a lock orders accesses to other words only with fences. Put a __threadfence() between line 11 and the access that sets the flag, and one between the access that reads the flag and line 15. __threadfence_block() orders only threads of one block. This happened 3 times.
// |    15 |     for (int b = 0; b < gridDim.x; ++b) sum += static_cast<volatile int*>(partial)[b];
// |       |                                                                           ^
// |       block (0, 0, 0), thread (0, 0, 0)
__device__ int partial[4];
__device__ unsigned done;
extern "C" __global__ void k(int* out) {
  if (threadIdx.x != 0) return;
  partial[blockIdx.x] = blockIdx.x + 1;
  // missing __threadfence()
  if (atomicAdd(&done, 1) == gridDim.x - 1) {
    int sum = 0;
    for (int b = 0; b < gridDim.x; ++b) sum += static_cast<volatile int*>(partial)[b];
    *out = sum;
  }
}

//--- race_lock_not_taken
// launch: --grid 4 --block 32 --arg out:i32:1
// | race_lock_not_taken.cu:12:3: race: thread (0, 0, 0) reads out[0], which thread (0, 0, 0) of block (3, 0, 0) writes in the same line, with nothing to order them: their order is undefined. This is a lost update: line 12 reads the word and writes it in a second step, and another thread may write it in between. Do it in one step: atomicAdd(). This happened 3 times.
// |    12 |   *out += 1;
// |       |    ^
// |       block (0, 0, 0), thread (0, 0, 0)
__device__ int lock;
extern "C" __global__ void k(int* out) {
  if (threadIdx.x != 0) return;
  atomicCAS(&lock, 0, 1);  // may fail
  __threadfence();
  *out += 1;
  __threadfence();
  atomicExch(&lock, 0);
}

//--- race_lock_with_a_limit
// launch: --grid 4 --block 32 --arg inout:i32:1:zeros
// | race_lock_with_a_limit.cu:14:3: race: thread (0, 0, 0) reads total[0], which thread (0, 0, 0) of block (3, 0, 0) writes in the same line, with nothing to order them: their order is undefined. The attempt to take a lock in line 11 may fail, and the thread goes on all the same. Try again until it succeeds, or skip what the lock protects. This happened 3 times.
// |    14 |   *total += 1;
// |       |    ^
// |       block (0, 0, 0), thread (0, 0, 0)
__device__ int lock;
extern "C" __global__ void k(int* total) {
  if (threadIdx.x != 0) return;
  for (int tries = 0; tries < 1000; ++tries) {
    if (atomicCAS(&lock, 0, 1) == 0) break;  // after the last failure it goes on, too
  }
  __threadfence();
  *total += 1;
  __threadfence();
  atomicExch(&lock, 0);
}

//--- race_lock_without_fence
// launch: --grid 1 --block 64 --arg out:i32:1
// | race_lock_without_fence.cu:14:5: race: thread (32, 0, 0) reads count, which thread (0, 0, 0) writes in the same line, with no barrier in between: their order is undefined. A flag, a counter or a lock orders accesses to other words only with fences. Put a __threadfence_block() between line 14 and the access that sets the flag, and one between the access that reads the flag and line 14. This happened 3 times.
// |    14 |     ++count;
// |       |       ^
// |       block (0, 0, 0), thread (32, 0, 0)
extern "C" __global__ void k(int* out) {
  __shared__ int lock, count;
  if (threadIdx.x == 0) lock = count = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    ++count;
    atomicExch(&lock, 0);  // missing __threadfence_block() before
  }
  __syncthreads();
  if (threadIdx.x == 0) out[0] = count;
}

//--- race_pointer_without_fence
// launch: --grid 2 --block 32 --cooperative --arg out:i32:1
// | race_pointer_without_fence.cu:17:5: race: thread (0, 0, 0) reads value[2], which thread (0, 0, 0) of block (0, 0, 0) writes in line 11, with nothing to order them: their order is undefined. A flag, a counter or a lock orders accesses to other words only with fences. Put a __threadfence() between line 11 and the access that sets the flag, and one between the access that reads the flag and line 17. __threadfence_block() orders only threads of one block.
// |    17 |     *out = v[at];
// |       block (1, 0, 0), thread (0, 0, 0)
__device__ int head, value[4];
extern "C" __global__ void k(int* out) {
  if (threadIdx.x != 0) return;
  volatile int* v = value;
  if (blockIdx.x == 0) {
    v[2] = 9;
    atomicExch(&head, 2);  // missing __threadfence() before
  } else {
    int at;
    while ((at = atomicAdd(&head, 0)) == 0) {
    }
    *out = v[at];
  }
}

//--- race_read_before_add
// launch: --grid 2 --block 32 --arg inout:i32:66:zeros
// | race_read_before_add.cu:8:3: race: thread (0, 0, 0) reads out[64], which thread (31, 0, 0) of block (1, 0, 0) atomically updates in line 9, with nothing to order them: their order is undefined. Blocks run concurrently and in any order: let one block do both, split the kernel in two, or publish the value with __threadfence() and an atomic. This happened 34 times.
// |     8 |   const int mine = *next;  // not what the addition finds
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(int* out) {
  int* next = &out[64];
  const int mine = *next;  // not what the addition finds
  atomicAdd(next, 1);
  if (mine < 64) atomicCAS(&out[mine], 0, 1);
}

//--- race_read_beside_compare_and_swap
// launch: --grid 1 --block 64 --arg out:i32:64
// | race_read_beside_compare_and_swap.cu:19:5: race: thread (32, 0, 0) reads count, which thread (0, 0, 0) atomically updates in line 15, with no barrier in between: their order is undefined. Put a __syncthreads() between line 15 and line 19. A lock or a flag orders them only after a __threadfence_block(). This happened 32 times.
// |    19 |     out[threadIdx.x] = 2 * count;  // some number on the way
// |       |                            ^
// |       block (0, 0, 0), thread (32, 0, 0)
extern "C" __global__ void k(int* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    int old = count, assumed;
    do {
      assumed = old;
      old = atomicCAS(&count, assumed, assumed + 1);
    } while (old != assumed);
  } else {
    __syncwarp();  // keeps the compiler from sharing one load between the branches
    out[threadIdx.x] = 2 * count;  // some number on the way
  }
}

//--- race_read_beside_global_swap
// launch: --grid 2 --block 32 --arg inout:i32:64:zeros
// | race_read_beside_global_swap.cu:12:7: race: thread (0, 0, 0) atomically updates out[0], which thread (0, 0, 0) of block (1, 0, 0) reads in line 8, with nothing to order them: their order is undefined. This is a lost update: line 8 reads the word, line 12 writes it in a second step, and another thread may write it in between. Use atomicCAS() in a loop: compute the new value from the word that it returns, and repeat until that is the word that it compares with, or atomicAdd(). This happened 2 times.
// |    12 |       old = atomicCAS(&out[0], assumed, assumed + 1);
// |       |                        ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(int* out) {
  if (blockIdx.x == 0) {
    int old = out[0], assumed;
    do {
      assumed = old;
      old = atomicCAS(&out[0], assumed, assumed + 1);
    } while (old != assumed);
  } else {
    out[threadIdx.x + 32] = 2 * out[0];  // some intermediate count
  }
}

//--- race_read_only_cache
// launch: --grid 1 --block 64 --arg out:f32:64 --arg in:f32:64:iota
// | race_read_only_cache.cu:10:3: race: thread (0, 0, 0) reads out[1] through the read-only data cache, but this launch also writes it: the value may be stale. Use a plain load: without __ldg(), and without __restrict__ on pointers to the same memory. This happened 64 times.
// |    10 |   const float next = __ldg(out + (threadIdx.x + 1) % 64);
// |       |                            ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(float* out, const float* in) {
  out[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const float next = __ldg(out + (threadIdx.x + 1) % 64);
  __syncthreads();
  out[threadIdx.x] += next;
}

//--- race_reset_before_atomic
// launch: --grid 1 --block 256 --arg out:i32:8 --arg in:i32:256:iota
// | race_reset_before_atomic.cu:11:3: race: thread (8, 0, 0) atomically updates bins[0], which thread (0, 0, 0) writes in line 10, with no barrier in between: their order is undefined. Both threads are in one warp, whose lanes need not run in lockstep. Let only one thread write there, give each thread its own element, or put a __syncwarp() between line 10 and line 11. This happened 8 times.
// |    11 |   atomicAdd(&bins[in[i] % 8], 1);
// |       |              ^
// |       block (0, 0, 0), thread (8, 0, 0)
extern "C" __global__ void k(int* out, const int* in) {
  __shared__ int bins[8];
  const int i = threadIdx.x;
  if (i < 8) bins[i] = 0;
  atomicAdd(&bins[in[i] % 8], 1);
  __syncthreads();
  if (i < 8) out[i] = bins[i];
}

//--- race_taken_and_put_back
// launch: --grid 4 --block 32 --arg inout:i32:32:zeros
// | race_taken_and_put_back.cu:9:3: race: thread (0, 0, 0) atomically updates bins[0], which thread (0, 0, 0) of block (0, 0, 0) atomically updates in line 8, with nothing to order them: their order is undefined. This is a lost update: line 8 reads the word, line 9 writes it in a second step, and another thread may write it in between. Do it in one step: atomicAdd(). This happened 480 times.
// |     9 |   atomicExch(&bins[threadIdx.x], old + 1);  // loses what has come meanwhile
// |       |               ^
// |       block (1, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(int* bins) {
  const int old = atomicExch(&bins[threadIdx.x], 0);
  atomicExch(&bins[threadIdx.x], old + 1);  // loses what has come meanwhile
}

//--- race_unlike_values
// launch: --grid 1 --block 64 --arg out:i32:1 --arg in:i32:64:iota
// | race_unlike_values.cu:9:3: race: thread (32, 0, 0) writes found, which thread (23, 0, 0) writes in the same line, with no barrier in between: their order is undefined. Let only one thread write there, or give each thread its own element. This happened 6 times.
// |     9 |   if (in[threadIdx.x] % 9 == 5) found = threadIdx.x;
// |       |                                 ^
// |       block (0, 0, 0), thread (32, 0, 0)
extern "C" __global__ void k(int* out, const int* in) {
  __shared__ int found;
  if (in[threadIdx.x] % 9 == 5) found = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) out[0] = found;
}
