// SPDX-License-Identifier: Apache-2.0
// A static variable in a kernel: one instance for the whole grid.
// launch: --kernel counted --grid 1 --block 32 --arg out:i32:1
__global__ void counted(int* out) {
  static __device__ int calls = 5;
  atomicAdd(&calls, 1);
  __syncthreads();
  if (threadIdx.x == 0) out[0] = calls;
}
