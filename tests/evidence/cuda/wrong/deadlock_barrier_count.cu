// SPDX-License-Identifier: Apache-2.0
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
