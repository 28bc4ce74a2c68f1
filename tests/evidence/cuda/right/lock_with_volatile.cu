// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 128 --arg out:i32:1
extern "C" __global__ void k(int* out) {
  __shared__ int lock;
  __shared__ volatile int count;
  if (threadIdx.x == 0) lock = count = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    __threadfence_block();
    count = count + 1;
    __threadfence_block();
    atomicExch(&lock, 0);
  }
  __syncthreads();
  if (threadIdx.x == 0) out[0] = count;
}
