// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 64 --arg out:i32:4 --arg in:i32:64:iota
// | uninitialized_sum.cu:9:3: uninitialized_read: thread (0, 0, 0) reads bins[0], which no thread of the block has written yet. Shared memory is not zero-initialized: store to it first, with a __syncthreads() in between if another thread stores. This happened 4 times.
// |     9 |   atomicAdd(&bins[in[threadIdx.x] % 4], 1);
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(int* out, const int* in) {
  __shared__ int bins[4];
  atomicAdd(&bins[in[threadIdx.x] % 4], 1);
  __syncthreads();
  if (threadIdx.x < 4) out[threadIdx.x] = bins[threadIdx.x];
}
