// SPDX-License-Identifier: Apache-2.0
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
