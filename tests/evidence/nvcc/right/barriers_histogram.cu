// SPDX-License-Identifier: Apache-2.0
// A shared memory histogram with atomics.
// launch: --kernel histogram --grid 1 --block 64 --arg in:i32:64:iota --arg inout:i32:8:zeros
__global__ void histogram(const int* in, int* bins) {
  __shared__ int own[8];
  if (threadIdx.x < 8) own[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&own[in[threadIdx.x] * 5 % 8], 1);
  __syncthreads();
  if (threadIdx.x < 8) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
