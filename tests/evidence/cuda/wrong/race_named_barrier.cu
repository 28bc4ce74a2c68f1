// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 96 --arg out:i32:32
// | race_named_barrier.cu:14:5: race: thread (64, 0, 0) reads data[0], which thread (0, 0, 0) writes in line 11, with no barrier in between: their order is undefined. Put a __syncthreads() between line 11 and line 14. This happened 32 times.
// |    14 |     out[lane] = data[lane];  // warp 2
// |       |     ^
// |       block (0, 0, 0), thread (64, 0, 0)
extern "C" __global__ void k(int* out) {
  __shared__ int data[64];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (warp < 2) {
    data[threadIdx.x] = threadIdx.x;
    asm volatile("bar.sync 1, 64;" ::: "memory");  // warps 0 and 1
  } else {
    out[lane] = data[lane];  // warp 2
  }
}
