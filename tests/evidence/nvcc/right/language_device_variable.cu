// SPDX-License-Identifier: Apache-2.0
// A __device__ array, and a counter that the kernel changes.
// launch: --kernel looked_up --grid 1 --block 32 --arg out:i32:33
__device__ int table[4] = {10, 20, 30, 40};
__device__ int counter;
__global__ void looked_up(int* out) {
  out[threadIdx.x] = table[threadIdx.x % 4];
  atomicAdd(&counter, 2);
  __syncthreads();
  if (threadIdx.x == 0) out[32] = counter;
}
