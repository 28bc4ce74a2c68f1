// SPDX-License-Identifier: Apache-2.0
// launch: --grid 8 --block 64 --arg out:i32:512
__device__ int values[512];
__device__ unsigned done;
extern "C" __global__ void k(int* out) {
  __shared__ bool is_last;
  values[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) is_last = atomicAdd(&done, 1) == gridDim.x - 1;
  __syncthreads();
  if (is_last)
    for (int i = threadIdx.x; i < 512; i += 64) out[i] = values[511 - i];
}
